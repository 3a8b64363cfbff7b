// An undirected path whose longest distance is known and whose largest weights add up to some twice
// as much, so that only searches prove how long it is.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <vector>

namespace apsp {

/// Weights 1, w, 1, w, …, the last one such that all add up to `length`; then `more` edges.
/// Requires: an even number of vertices, length large beside it.
inline Graph zigzag(std::int64_t vertices, std::int64_t length,
                    const std::vector<Edge>& more = {}) {
  const std::int64_t edges = vertices - 1, pairs = edges / 2;
  const std::int64_t heavy = (length - edges) / (pairs + 1);
  GraphBuilder builder(vertices, false);
  std::int64_t left = length;
  for (std::int64_t i = 0; i < edges; ++i) {
    const std::int64_t weight = i + 1 == edges ? left : (i % 2 == 0 ? 1 : heavy);
    builder.add_edge(static_cast<Vertex>(i), static_cast<Vertex>(i + 1),
                     static_cast<double>(weight));
    left -= weight;
  }
  for (const Edge& edge : more) builder.add_edge(edge.from, edge.to, edge.weight);
  return std::move(builder).build();
}

}  // namespace apsp
