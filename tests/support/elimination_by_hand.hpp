// Elimination by hand, on sets: what orders and factors are compared with.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "sparse/order.hpp"

namespace apsp::sparse {

using Neighbours = std::vector<std::set<Vertex>>;

inline Neighbours neighbours_of(const Pattern& pattern) {
  Neighbours sets;
  for (Vertex v = 0; v < static_cast<Vertex>(pattern.vertices()); ++v) {
    sets.emplace_back(pattern.of(v).begin(), pattern.of(v).end());
  }
  return sets;
}

/// Joins the neighbours of a vertex and takes it away. Returns how many there were.
inline std::size_t eliminate_by_hand(Neighbours& graph, Vertex v) {
  const std::set<Vertex> beside = std::move(graph[v]);
  graph[v].clear();
  for (const Vertex a : beside) {
    graph[a].erase(v);
    for (const Vertex b : beside) {
      if (a != b) graph[a].insert(b);
    }
  }
  return beside.size();
}

}  // namespace apsp::sparse
