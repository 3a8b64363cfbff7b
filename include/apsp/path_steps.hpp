// Paths of many pairs.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp {

/// Best paths of many pairs: the steps of pair i are [first[i], first[i + 1]), none without a path.
struct PathSteps {
  std::vector<std::int64_t> first{0};  ///< [pairs + 1]
  std::vector<Vertex> vertices{};      ///< [steps]
  /// [steps] the number of the edge that leads to the vertex, in the order of `with_weights`; −1
  /// where the path begins. Of parallel edges the best, of these the first. With turn states: the
  /// number of the arc in `Loads::arcs`; −1 also for loops.
  std::vector<std::int64_t> edges{};
  std::vector<double> distances{};  ///< [steps] from the beginning of the path
};

/// Returns the paths of `Result::path`: a row of distances and a tree for each distinct source, by
/// all threads, and 20 bytes for each step. A graph is solved from the distinct sources first,
/// whose rows have to fit in memory. With turn states, `pairs` are those of the graph and steps
/// those of its vertices. Throws `Error`: as `Result::path`, and does_not_fit.
PathSteps path_steps(const Result& result, std::span<const VertexPair> pairs,
                     const PairsOptions& options = {});
PathSteps path_steps(const Graph& graph, std::span<const VertexPair> pairs,
                     const SolveOptions& solving = {});

}  // namespace apsp
