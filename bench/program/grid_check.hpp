// Whether a grid of processes has solved a random matrix, without any other solver.
//
// Sampled rows, by definition: d(i, i) = 0, and d(i, j) = min over k ≠ j of d(i, k) + a(k, j) for
// j ≠ i (Bellman's equation). All weights are positive, and then the equation has one solution.
// From any j ≠ i it names a k that is nearer to i, from there another one, and so on to i: d(i, j)
// is the length of a path. It is at most the length of every path, by induction over its arcs. So a
// row that fulfils it is right in every value, and sums are exact.
//
// Every entry, from both sides: 1 ≤ d(i, j) ≤ a(i, j), and d(i, j) ≤ d(i, p) + d(p, j) for the
// sampled vertices p. A tile that was left out of some steps fails it.
//
// The matrix a is generated again where it is needed. The work is n² · rows / processes.
#pragma once

#include <cstdint>

#include "cluster/grid_finish.hpp"
#include "cluster/processes.hpp"
#include "program/random_graph.hpp"

namespace apsp::bench {

struct GridCheck {
  std::int64_t rows = 0;           ///< that were held against the definition
  std::int64_t values_tested = 0;  ///< of these rows
  std::int64_t values_failed = 0;
  double residual = 0;              ///< the greatest difference from the definition; 0: none
  std::int64_t entries_tested = 0;  ///< of the whole matrix
  std::int64_t entries_failed = 0;

  bool passed() const { return values_failed == 0 && entries_failed == 0; }
};

/// All processes of the grid, whose parts are `held`. Rows are drawn by `seed`. The result is
/// complete in process 0.
GridCheck check_grid(cluster::Processes& processes, const cluster::HeldPlanes& held,
                     const RandomGraph& matrix, std::int64_t rows, std::uint64_t seed, int threads);

}  // namespace apsp::bench
