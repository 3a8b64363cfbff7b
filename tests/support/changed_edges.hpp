// Changes of a graph for tests of updates.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace apsp {

/// Every arc between the ends of a change, parallel ones named one by one, gets its weight. Of
/// several changes of a pair the last counts.
inline std::vector<WeightChange> changes_of_all(const Graph& graph, std::span<const Edge> changes) {
  std::map<std::pair<Vertex, Vertex>, double> last;
  for (const Edge& change : changes) {
    const auto [least, greatest] = std::minmax(change.from, change.to);
    const bool turned = !graph.directed() && change.from != least;
    last[turned ? std::pair(least, greatest) : std::pair(change.from, change.to)] = change.weight;
  }
  std::vector<WeightChange> named;
  for (const auto& [ends, weight] : last) {
    const std::vector<double> old = graph.weights_as_given(ends.first, ends.second);
    if (old.size() < 2) named.push_back({ends.first, ends.second, weight});
    for (std::size_t i = 0; i < old.size() && old.size() > 1; ++i) {
      named.push_back({ends.first, ends.second, weight, old[i]});
    }
  }
  return named;
}

/// Every n-th arc: smaller, larger, gone.
inline std::vector<WeightChange> changes_of(const Graph& graph, int nth) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<Edge> changes;
  int count = 0;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (count++ % nth != 0) return;
    const double now[] = {weight / 2 >= 1 ? std::floor(weight / 2) : 1, weight * 2, kNone};
    changes.push_back({from, to, now[count / nth % 3]});
  });
  return changes_of_all(graph, changes);
}

}  // namespace apsp
