// Graphs by their edges.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace apsp {

inline Graph graph_of(std::int64_t n, const std::vector<Edge>& edges, bool directed = true) {
  GraphBuilder builder(n, directed);
  for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
  return std::move(builder).build();
}

}  // namespace apsp
