// The random graphs that the benchmark of a device solves, and what it holds the results against.
//
// Weighted: an arc for seven of eight ordered pairs, weights uniform over whole numbers up to 2^22
// (2^13 for u16), which every value type adds exactly. Shortest paths then have some ln n arcs, so
// that every step of Floyd-Warshall counts. Checked are
//   - up to 4,096 vertices: the whole matrix, entry by entry, against the CPU engine;
//   - rows of a few sources s, by Bellman's equations d(v) = min over u of d(u) + w(u, v), d(s) =
//   0:
//     weights are positive, so they have one solution, the distances. O(n²) for all these rows, and
//     nothing shared with any engine;
//   - a million random triples: d(i, j) ≤ d(i, k) + d(k, j), d(i, j) ≤ w(i, j), d(i, i) = 0;
//   - with via, a million random pairs: via splits the distance exactly, or the arc is as short.
//
// Reachability: two random arcs from each vertex; rows of 64 sources, by breadth-first search.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/contract.hpp"
#include "places/tiled_matrix.hpp"
#include "program/benchmark_cuda.hpp"

namespace apsp::bench {

class CudaProblem {
 public:
  virtual ~CudaProblem() = default;
  /// What Floyd-Warshall starts from. or-and: words of 32 columns.
  virtual void fill(kernels::View matrix) const = 0;
  /// `via`: not tracked if it has no data.
  virtual Verdict check(kernels::ConstView solved, kernels::ConstView via) const = 0;
};

std::unique_ptr<CudaProblem> make_cuda_problem(const BenchmarkKernel& kernel, places::Shape shape,
                                               std::int64_t n, std::uint64_t seed, int threads);

}  // namespace apsp::bench
