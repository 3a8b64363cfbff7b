// Ways between any two vertices by one centre.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>

namespace apsp::graph {

/// The two largest of the distances from a centre, or to it; the first one's vertex.
struct Farthest {
  Vertex vertex = 0;
  double first = 0, second = 0;

  void add(Vertex v, double distance) {
    if (distance > first) {
      second = first;
      first = distance;
      vertex = v;
    } else {
      second = std::max(second, distance);
    }
  }
};

/// The longest way from one vertex to another by the centre.
inline double longest_way(const Farthest& away, const Farthest& home) {
  if (away.vertex != home.vertex) return away.first + home.first;
  return std::max(away.first + home.second, away.second + home.first);
}

/// A bound that sums of weights along paths gave, as exact arithmetic would not exceed it. Sums of
/// integers below 2^53 are exact, and those of others lose a rounding a term.
inline double rounded_up(double bound, const Graph& graph) {
  const bool exact = graph.weight_facts().integral && bound < 0x1p53;
  const double rounding = exact ? 0 : 0x1p-50;
  return bound * (1 + rounding * static_cast<double>(graph.vertex_count()));
}

}  // namespace apsp::graph
