#include "planner/sampled_searches.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace apsp::planner {
namespace {

SampledSearches search_from(const Graph& graph, Vertex start) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()));
  std::vector<Vertex> frontier = {start}, next;
  seen[start] = true;
  SampledSearches found;
  for (; !frontier.empty(); ++found.levels, frontier.swap(next)) {
    next.clear();
    if (found.vertices < kNear) ++found.near_levels;
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

SampledSearches sample_searches(const Graph& graph) {
  // Along one-way arcs some sources reach all, others nothing.
  constexpr std::int64_t kSources = 4, kOneWaySources = 16;
  const std::int64_t n = graph.vertex_count();
  const std::int64_t count = std::min(n, graph.symmetric() ? kSources : kOneWaySources);
  SampledSearches all;
  double reach_many = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const SampledSearches found = search_from(graph, static_cast<Vertex>(i * n / count));
    all.levels += found.levels;
    all.vertices += found.vertices;
    all.arcs += found.arcs;
    all.most_levels = std::max(all.most_levels, found.levels);
    if (found.vertices < kNear) continue;
    all.near_levels += found.near_levels;
    ++reach_many;
  }
  if (count == 0) return all;
  const auto sources = static_cast<double>(count);
  all.levels /= sources;
  all.vertices /= sources;
  all.arcs /= sources;
  all.near_levels = reach_many > 0 ? all.near_levels / reach_many : all.most_levels;
  return all;
}

}  // namespace apsp::planner
