#include "planner/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "graph/search.hpp"
#include "planner/search_model.hpp"

namespace apsp::planner {
namespace {

/// Levels of a search of the whole graph, extrapolated from the region's growth.
double levels_promised(const sparse::Region& region, double vertices) {
  const double quarter = region.radius.front(), all = region.radius.back();
  const double growth = std::log(all / quarter) / std::log(4);
  return all * std::pow(vertices / static_cast<double>(region.pattern.vertices()), growth);
}

/// Returns the weighted distance to the last of the nearest quarter, divided by its breadth-first
/// distance.
double length_of_an_edge(const Graph& graph, const sparse::Region& region) {
  std::vector<bool> inside(static_cast<std::size_t>(graph.vertex_count()));
  for (const Vertex v : region.vertices) inside[v] = true;
  graph::Search search(graph.vertex_count());
  search.run(graph, region.vertices.front(), [&](Vertex v) { return bool{inside[v]}; });
  return search.distance(search.reached()[region.vertices.size() / 4]) / region.radius.front();
}

/// A search from the last vertex of another one has nearly the most levels. Edges along long paths
/// are shorter than within a region, up to 1.3 times.
std::optional<LongestDistance> longest_distance(const Graph& graph,
                                                const sparse::TreeSamples& trees, Vertex last) {
  constexpr double kLess = 1.6, kMore = 1.3;
  if (!trees.both_ways() || graph.weight_facts().least < 0) return std::nullopt;
  double length = 0;
  for (const sparse::Region& region : trees.regions()) {
    length = std::max(length, length_of_an_edge(graph, region));
  }
  const double found = sample_search(graph, last).levels * length;
  return LongestDistance{found / kLess, found * kMore};
}

}  // namespace

std::optional<Estimates> estimates_of(const Graph& graph, std::int64_t least) {
  constexpr double kNearlyAll = 0.9, kSooner = 0.5;
  const std::int64_t n = graph.vertex_count();
  if (n < least || !looks_sparse(n, graph.arc_count())) return std::nullopt;
  auto trees = sparse::TreeSamples::of(graph);
  if (!trees) return std::nullopt;
  const sparse::Region& region = trees->regions().front();
  const SampledSearches found = sample_search(graph, region.vertices.front());
  const auto vertices = static_cast<double>(n);
  if (found.vertices < kNearlyAll * vertices ||
      found.levels < kSooner * levels_promised(region, vertices)) {
    return std::nullopt;
  }
  const auto longest = longest_distance(graph, *trees, found.last);
  return Estimates{std::move(*trees), found, longest};
}

}  // namespace apsp::planner
