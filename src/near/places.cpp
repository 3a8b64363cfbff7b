#include "near/places.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/refusal.hpp"
#include "graph/weight_check.hpp"

namespace apsp::near {

Streets::Streets(const Graph& graph) : graph_(graph), states_(graph) {
  std::int64_t first = states_.vertices();
  for (Vertex v = 0; v < states_.vertices(); ++v) {
    first = std::max(first, std::int64_t{states_.end(v)} + 1);
  }
  numbers_.resize(static_cast<std::size_t>(graph.vertex_count() - first));
  std::iota(numbers_.begin(), numbers_.end(), static_cast<Vertex>(first));
}

Arc Streets::arc(Vertex from, Vertex to) const {
  Arc least{to, std::numeric_limits<double>::infinity()};
  states_.for_each_arc_between(graph_, from, to, [&](Vertex head, double weight) {
    if (weight < least.weight) least = {head, weight};
  });
  return least;
}

PartOfArc Streets::part(Vertex from, Vertex to, double share) const {
  const Arc whole = arc(from, to);
  return {whole.to, from, to, share, share * whole.weight};
}

std::vector<PartOfArc> Streets::exits_of(const Place& at) const {
  if (at.is_vertex()) return {{.vertex = at.from, .weight = 0}};
  std::vector<PartOfArc> exits;
  for (const PartOfArc& exit : {part(at.from, at.to, 1 - at.share), part(at.to, at.from, at.share)})
    if (std::isfinite(exit.weight)) exits.push_back(exit);
  return exits;
}

void Streets::add_entries(Vertex from, Vertex to, double share,
                          std::vector<PartOfArc>& entries) const {
  const Arc whole = arc(from, to);
  if (!std::isfinite(whole.weight)) return;
  entries.push_back({from, from, to, share, share * whole.weight});
  const auto vertex_of = [this](Vertex state) { return states_.vertex_of(state); };
  const auto first = std::ranges::lower_bound(numbers_, from, {}, vertex_of);
  for (auto state = first; state != numbers_.end() && vertex_of(*state) == from; ++state) {
    graph_.for_each_arc_between(*state, whole.to, [&](double with_turn) {
      const double turn = with_turn - whole.weight;
      entries.push_back({*state, from, to, share, turn + share * whole.weight});
    });
  }
}

std::vector<PartOfArc> Streets::entries_of(const Place& at) const {
  if (at.is_vertex()) return {{.vertex = states_.end(at.from), .weight = 0}};
  std::vector<PartOfArc> entries;
  add_entries(at.from, at.to, at.share, entries);
  add_entries(at.to, at.from, 1 - at.share, entries);
  return entries;
}

PartOfArc Streets::direct_part(const Place& from, const Place& to) const {
  if (from.is_vertex() || from.from != to.from || from.to != to.to) return {};
  const double ahead = to.share - from.share;
  if (ahead == 0) return {.weight = 0};
  return ahead > 0 ? part(from.from, from.to, ahead) : part(from.to, from.from, -ahead);
}

PlacePairs::PlacePairs(const Graph& graph, std::span<const Place> from, std::span<const Place> to) {
  refuse_if(from.size() != to.size(),
            "{} places to go from and {} to go to: a pair has one of each", from.size(), to.size());
  const Streets streets(graph);
  for (std::size_t i = 0; i < from.size(); ++i) {
    direct_.push_back(streets.direct_part(from[i], to[i]));
    for (const PartOfArc& exit : streets.exits_of(from[i])) {
      for (const PartOfArc& entry : streets.entries_of(to[i])) {
        vertices_.push_back({exit.vertex, entry.vertex});
        ways_.push_back({exit, entry});
      }
    }
    ends_.push_back(vertices_.size());
  }
}

}  // namespace apsp::near

namespace apsp {

std::vector<double> place_distances(
    const Graph& graph, std::span<const Place> from, std::span<const Place> to,
    const std::function<std::vector<double>(std::span<const VertexPair>)>& distances) {
  const near::PlacePairs pairs(graph, from, to);
  const std::vector<double> between = distances(pairs.vertices());
  std::vector<double> best;
  for (std::size_t i = 0; i < from.size(); ++i) {
    best.push_back(pairs.best(i, [&](std::size_t way) { return between[way]; }).distance);
  }
  return best;
}

Graph with_places(const Graph& graph, std::span<const Place> origins,
                  std::span<const Place> destinations) {
  graph::require_non_negative(graph, "places on streets need", "");
  const near::Streets streets(graph);
  const std::int64_t n = graph.vertex_count();
  GraphBuilder builder(n + std::ssize(origins) + std::ssize(destinations));
  builder.reserve(graph.arc_count() + 2 * std::ssize(origins) + 2 * std::ssize(destinations));
  graph.visit_all([&](Vertex u, Vertex v, double weight) { builder.add_edge(u, v, weight); });
  std::multimap<std::pair<Vertex, Vertex>, std::pair<Vertex, const Place*>> of_street;
  auto number = static_cast<Vertex>(n);
  for (const Place& origin : origins) {
    for (const near::PartOfArc& exit : streets.exits_of(origin)) {
      builder.add_edge(number, exit.vertex, exit.weight);
    }
    if (!origin.is_vertex())
      of_street.emplace(std::pair(origin.from, origin.to), std::pair(number, &origin));
    ++number;
  }
  for (const Place& destination : destinations) {
    for (const near::PartOfArc& entry : streets.entries_of(destination)) {
      builder.add_edge(entry.vertex, number, entry.weight);
    }
    const auto [first, last] = of_street.equal_range({destination.from, destination.to});
    for (auto at = first; at != last; ++at) {
      const near::PartOfArc way = streets.direct_part(*at->second.second, destination);
      if (std::isfinite(way.weight)) builder.add_edge(at->second.first, number, way.weight);
    }
    ++number;
  }
  return std::move(builder).build();
}

}  // namespace apsp
