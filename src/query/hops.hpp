// A path as its edges, with the weight of each and the value of the path up to there.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <span>
#include <vector>

namespace apsp::query {

struct Hop {
  Vertex from = 0;
  Vertex to = 0;
  double weight = 0;  ///< of the best edge from `from` to `to`
  double so_far = 0;  ///< value of the path up to `to`
};

/// The hops of a path of `graph` whose distances have this type. O(edges of the path · log degree).
/// Throws `Error` (input) where the graph lacks an edge of it.
std::vector<Hop> hops(const Graph& graph, Semiring semiring, ValueType type,
                      std::span<const Vertex> path);

}  // namespace apsp::query
