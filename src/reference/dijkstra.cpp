#include "reference/dijkstra.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <functional>
#include <limits>
#include <queue>

namespace apsp::reference {

std::vector<double> dijkstra(const Graph& graph, Vertex source) {
  if (source >= graph.vertex_count()) {
    throw Error(ErrorKind::usage,
                fmt::format("source {} in a graph of {} vertices", source, graph.vertex_count()));
  }
  if (graph.weight_facts().least < 0) {
    throw Error(ErrorKind::usage, fmt::format("Dijkstra's algorithm takes no negative weights ({})",
                                              graph.weight_facts().least));
  }
  std::vector<double> distance(static_cast<std::size_t>(graph.vertex_count()),
                               std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [d, u] = queue.top();
    queue.pop();
    if (d > distance[u]) continue;  // an older, longer entry
    const double so_far = d;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      const double candidate = so_far + weight;
      if (candidate >= distance[v]) return;
      distance[v] = candidate;
      queue.push({candidate, v});
    });
  }
  return distance;
}

}  // namespace apsp::reference
