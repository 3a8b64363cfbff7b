// What all edges together say of a graph, in one pass by all threads.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <span>

namespace apsp::graph {

struct EdgeFacts {
  WeightFacts weights;
  std::int64_t loops = 0;
};

/// Throws `Error` (usage) for the first edge with an end that is no vertex, or a weight that is not
/// finite.
EdgeFacts edge_facts(std::span<const Edge> edges, std::size_t n);

}  // namespace apsp::graph
