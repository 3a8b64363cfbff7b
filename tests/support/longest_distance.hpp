// The largest finite distance of a graph, by the textbook.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <cmath>

#include "support/textbook.hpp"

namespace apsp {

inline double longest_distance(const Graph& graph) {
  double longest = 0;
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    for (const double d : verifier::dijkstra(graph, s)) {
      if (std::isfinite(d)) longest = std::max(longest, d);
    }
  }
  return longest;
}

}  // namespace apsp
