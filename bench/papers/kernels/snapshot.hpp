// Parts of a graph that grow: the vertices that are nearest to its greatest hub, breadth first.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <vector>

namespace apsp::baselines {

/// Numbers from 0 on of the first `count` vertices; −1: not among them. Requires: so many are
/// reachable from the hub. Throws `Error` (usage) where they are not.
inline std::vector<std::int64_t> snapshot_numbers(const Graph& graph, std::int64_t count) {
  const auto at = [](auto v) { return static_cast<std::size_t>(v); };
  Vertex hub = 0;
  for (std::int64_t v = 1; v < graph.vertex_count(); ++v) {
    const auto vertex = static_cast<Vertex>(v);
    if (graph.targets(vertex).size() > graph.targets(hub).size()) hub = vertex;
  }
  std::vector<std::int64_t> number(at(graph.vertex_count()), -1);
  std::vector<Vertex> order{hub};
  number[at(hub)] = 0;
  for (std::size_t next = 0; next < order.size() && std::ssize(order) < count; ++next) {
    for (const Vertex target : graph.targets(order[next])) {
      if (number[at(target)] >= 0 || std::ssize(order) >= count) continue;
      number[at(target)] = std::ssize(order);
      order.push_back(target);
    }
  }
  if (std::ssize(order) < count) {
    throw Error(ErrorKind::usage, "the greatest hub reaches too few vertices: name fewer");
  }
  return number;
}

/// visit(from, to), numbers below `count`, for each arc among these vertices.
template <class Visit>
void for_each_arc_of_snapshot(const Graph& graph, std::int64_t count, const Visit& visit) {
  const std::vector<std::int64_t> number = snapshot_numbers(graph, count);
  for (std::int64_t v = 0; v < graph.vertex_count(); ++v) {
    const auto from = static_cast<Vertex>(v);
    if (number[from] < 0) continue;
    for (const Vertex to : graph.targets(from)) {
      if (number[to] >= 0) visit(number[from], number[to]);
    }
  }
}

}  // namespace apsp::baselines
