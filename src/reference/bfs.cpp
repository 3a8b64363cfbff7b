#include "reference/bfs.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

namespace apsp::reference {

std::vector<std::int64_t> bfs(const Graph& graph, Vertex source) {
  if (source >= graph.vertex_count()) {
    throw Error(ErrorKind::usage,
                fmt::format("source {} in a graph of {} vertices", source, graph.vertex_count()));
  }
  std::vector<std::int64_t> hops(static_cast<std::size_t>(graph.vertex_count()), -1);
  std::vector<Vertex> queue = {source};
  hops[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Vertex u = queue[head];
    graph.for_each_arc(u, [&](Vertex v, double) {
      if (hops[v] >= 0) return;
      hops[v] = hops[u] + 1;
      queue.push_back(v);
    });
  }
  return hops;
}

}  // namespace apsp::reference
