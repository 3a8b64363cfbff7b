#include "planner/search_model.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/control.hpp"

namespace apsp::planner {

bool looks_sparse(std::int64_t vertices, std::int64_t arcs) {
  constexpr double kLeastTimes = 32;
  const auto n = static_cast<double>(vertices);
  return vertices >= kLeastVertices && static_cast<double>(arcs) * kLeastTimes <= n * n;
}

SampledSearches sample_search(const Graph& graph, Vertex start) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()));
  std::vector<Vertex> frontier = {start}, next;
  seen[start] = true;
  SampledSearches found;
  for (; !frontier.empty(); ++found.levels, frontier.swap(next)) {
    base::poll(static_cast<std::size_t>(found.levels));
    next.clear();
    found.last = frontier.back();
    if (found.vertices < kSourcesAtOnce) ++found.block_levels;
    found.vertices += static_cast<double>(frontier.size());
    for (const Vertex& v : frontier) {
      base::poll(static_cast<std::size_t>(&v - frontier.data()));
      found.arcs += static_cast<double>(graph.out_degree(v));
      graph.for_each_arc(v, [&](Vertex to, double) {
        if (seen[to]) return;
        seen[to] = true;
        next.push_back(to);
      });
    }
  }
  found.most_levels = found.levels;
  return found;
}

SampledSearches sample_searches(const Graph& graph) {
  // One-way arcs let some sources reach all vertices, others none, so more are sampled.
  constexpr std::int64_t kSources = 4, kOneWaySources = 16;
  constexpr double kNearlyAll = 0.99;
  const std::int64_t n = graph.vertex_count();
  const std::int64_t most = std::min(n, graph.symmetric() ? kSources : kOneWaySources);
  SampledSearches all;
  double reach_many = 0;
  std::int64_t searches = 0;
  bool reach_all = true;
  const auto search = [&](std::int64_t i) {
    const SampledSearches found = sample_search(graph, static_cast<Vertex>(i * n / most));
    ++searches;
    reach_all = reach_all && found.vertices >= kNearlyAll * static_cast<double>(n);
    all.levels += found.levels;
    all.vertices += found.vertices;
    all.arcs += found.arcs;
    all.most_levels = std::max(all.most_levels, found.levels);
    if (found.vertices < kSourcesAtOnce) return;
    all.block_levels += found.block_levels;
    ++reach_many;
  };
  const std::int64_t step = std::max<std::int64_t>(1, most / kSources);
  for (std::int64_t i = 0; i < most; i += step) search(i);
  for (std::int64_t i = 0; i < most && !reach_all; ++i) {
    if (i % step != 0) search(i);
  }
  if (searches == 0) return all;
  const auto sources = static_cast<double>(searches);
  all.levels /= sources;
  all.vertices /= sources;
  all.arcs /= sources;
  all.block_levels = reach_many > 0 ? all.block_levels / reach_many : all.most_levels;
  return all;
}

double pairs_by_rows(double counted, double unreached, double share) {
  if (unreached <= 0) return counted;
  return 1 / (share / counted + (1 - share) / unreached);
}

double search_seconds(const SampledSearches& found, double vertices, const SearchRates& rates) {
  return found.vertices * rates.vertex + found.arcs * rates.arc + vertices / rates.values;
}

BlockCounts block_counts(const SampledSearches& found, double vertices, double arcs) {
  constexpr double kApart = 1.2;
  const double width = 2 * found.block_levels + 1;  // diameter of a block
  return {std::min(kApart * found.most_levels, width), vertices, arcs};
}

double breadth_first_seconds(const BlockCounts& counts, const BreadthFirstRates& rates) {
  const double sources = std::min<double>(kSourcesAtOnce, counts.vertices);
  return counts.levels * (counts.vertices * rates.vertex + counts.arcs * rates.arc) +
         sources * counts.vertices / rates.values;
}

}  // namespace apsp::planner
