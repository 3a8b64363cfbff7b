#include "planner/look_around.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace apsp::planner {
namespace {

Found search_from(const Graph& graph, Vertex start) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()));
  std::vector<Vertex> frontier = {start}, next;
  seen[start] = true;
  Found found;
  for (; !frontier.empty(); ++found.levels, frontier.swap(next)) {
    next.clear();
    found.vertices += static_cast<double>(frontier.size());
    for (const Vertex v : frontier) {
      found.arcs += static_cast<double>(graph.out_degree(v));
      graph.for_each_arc(v, [&](Vertex to, double) {
        if (seen[to]) return;
        seen[to] = true;
        next.push_back(to);
      });
    }
  }
  return found;
}

}  // namespace

Found look_around(const Graph& graph) {
  constexpr std::int64_t kSources = 4;
  const std::int64_t n = graph.vertex_count(), count = std::min(n, kSources);
  Found all;
  for (std::int64_t i = 0; i < count; ++i) {
    const Found found = search_from(graph, static_cast<Vertex>(i * n / count));
    all.levels += found.levels;
    all.vertices += found.vertices;
    all.arcs += found.arcs;
  }
  if (count == 0) return all;
  const auto sources = static_cast<double>(count);
  return {all.levels / sources, all.vertices / sources, all.arcs / sources};
}

}  // namespace apsp::planner
