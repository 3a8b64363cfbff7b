#include "near/places.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/refusal.hpp"
#include "graph/weight_check.hpp"

namespace apsp::near {
namespace {

double least_weight(const Graph& graph, Vertex from, Vertex to) {
  double least = std::numeric_limits<double>::infinity();
  graph.for_each_arc_between(from, to, [&](double weight) { least = std::min(least, weight); });
  return least;
}

PartOfArc part(const Graph& graph, Vertex end, Vertex from, Vertex to, double share) {
  return {end, from, to, share, share * least_weight(graph, from, to)};
}

std::vector<PartOfArc> passable(std::initializer_list<PartOfArc> parts) {
  std::vector<PartOfArc> list;
  std::ranges::copy_if(parts, std::back_inserter(list),
                       [](const PartOfArc& of) { return std::isfinite(of.weight); });
  return list;
}

}  // namespace

std::vector<PartOfArc> exits_of(const Graph& graph, const Place& at) {
  if (at.is_vertex()) return {{.vertex = at.from, .weight = 0}};
  return passable({part(graph, at.to, at.from, at.to, 1 - at.share),
                   part(graph, at.from, at.to, at.from, at.share)});
}

std::vector<PartOfArc> entries_of(const Graph& graph, const Place& at) {
  if (at.is_vertex()) return {{.vertex = at.from, .weight = 0}};
  return passable({part(graph, at.from, at.from, at.to, at.share),
                   part(graph, at.to, at.to, at.from, 1 - at.share)});
}

PartOfArc direct_part(const Graph& graph, const Place& from, const Place& to) {
  if (from.is_vertex() || from.from != to.from || from.to != to.to) return {};
  const double ahead = to.share - from.share;
  if (ahead == 0) return {.weight = 0};
  return ahead > 0 ? part(graph, 0, from.from, from.to, ahead)
                   : part(graph, 0, from.to, from.from, -ahead);
}

}  // namespace apsp::near

namespace apsp {

std::vector<double> place_distances(
    const Graph& graph, std::span<const Place> from, std::span<const Place> to,
    const std::function<std::vector<double>(std::span<const VertexPair>)>& distances) {
  refuse_if(from.size() != to.size(),
            "{} places to go from and {} to go to: a pair has one of each", from.size(), to.size());
  std::vector<VertexPair> pairs;
  std::vector<double> parts;  // [pairs] at both ends
  std::vector<std::size_t> end_of(from.size());
  std::vector<double> best(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    best[i] = near::direct_part(graph, from[i], to[i]).weight;
    for (const near::PartOfArc& exit : near::exits_of(graph, from[i])) {
      for (const near::PartOfArc& entry : near::entries_of(graph, to[i])) {
        pairs.push_back({exit.vertex, entry.vertex});
        parts.push_back(exit.weight + entry.weight);
      }
    }
    end_of[i] = pairs.size();
  }
  const std::vector<double> between = distances(pairs);
  for (std::size_t i = 0, at = 0; i < from.size(); ++i) {
    for (; at < end_of[i]; ++at) best[i] = std::min(best[i], parts[at] + between[at]);
  }
  return best;
}

Graph with_places(const Graph& graph, std::span<const Place> origins,
                  std::span<const Place> destinations) {
  graph::require_non_negative(graph, "places on streets need", "");
  const std::int64_t n = graph.vertex_count();
  GraphBuilder builder(n + std::ssize(origins) + std::ssize(destinations));
  builder.reserve(graph.arc_count() + 2 * std::ssize(origins) + 2 * std::ssize(destinations));
  graph.visit_all([&](Vertex u, Vertex v, double weight) { builder.add_edge(u, v, weight); });
  std::multimap<std::pair<Vertex, Vertex>, std::pair<Vertex, const Place*>> of_street;
  auto number = static_cast<Vertex>(n);
  for (const Place& origin : origins) {
    for (const near::PartOfArc& exit : near::exits_of(graph, origin)) {
      builder.add_edge(number, exit.vertex, exit.weight);
    }
    if (!origin.is_vertex())
      of_street.emplace(std::pair(origin.from, origin.to), std::pair(number, &origin));
    ++number;
  }
  for (const Place& destination : destinations) {
    for (const near::PartOfArc& entry : near::entries_of(graph, destination)) {
      builder.add_edge(entry.vertex, number, entry.weight);
    }
    const auto [first, last] = of_street.equal_range({destination.from, destination.to});
    for (auto at = first; at != last; ++at) {
      const near::PartOfArc way = near::direct_part(graph, *at->second.second, destination);
      if (std::isfinite(way.weight)) builder.add_edge(at->second.first, number, way.weight);
    }
    ++number;
  }
  return std::move(builder).build();
}

}  // namespace apsp
