// Changes of a graph for tests of updates.
#pragma once

#include <apsp/graph.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace apsp {

/// Every n-th arc: smaller, larger, gone.
inline std::vector<Edge> changes_of(const Graph& graph, int nth) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<Edge> changes;
  int count = 0;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (count++ % nth != 0) return;
    const double now[] = {weight / 2 >= 1 ? std::floor(weight / 2) : 1, weight * 2, kNone};
    changes.push_back({from, to, now[count / nth % 3]});
  });
  return changes;
}

}  // namespace apsp
