#include "sparse/trim.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/control.hpp"
#include "graph/search.hpp"

namespace apsp::sparse {
namespace {

enum class TrimSide : std::uint8_t { core, start, end };

struct Place {
  TrimSide part = TrimSide::core;
  Vertex at = 0;
};

/// Removes vertices until each of the remainder has an arc in and an arc out; a loop is both.
std::vector<Place> place_all(const Graph& graph, const graph::ReversedArcs& reversed, Trim& found) {
  const auto n = static_cast<Vertex>(graph.vertex_count());
  std::vector<Place> places(n);
  std::vector<std::int64_t> in(n), out(n);
  std::vector<Vertex> waiting;
  for (Vertex v = n; v-- > 0;) {
    in[v] = reversed.degree(v);
    out[v] = graph.out_degree(v);
    if (in[v] == 0 || out[v] == 0) waiting.push_back(v);
  }
  while (!waiting.empty()) {
    const Vertex v = waiting.back();
    waiting.pop_back();
    if (places[v].part != TrimSide::core) continue;
    base::poll(found.ends.size() + found.starts.size());
    const bool is_end = out[v] == 0;
    places[v].part = is_end ? TrimSide::end : TrimSide::start;
    (is_end ? found.ends : found.starts).push_back(v);
    const auto lose = [&](std::int64_t& degree, Vertex of) {
      if (--degree == 0 && places[of].part == TrimSide::core) waiting.push_back(of);
    };
    if (is_end) {
      reversed.for_each_arc(v, [&](Vertex from, double) { lose(out[from], from); });
    } else {
      graph.for_each_arc(v, [&](Vertex to, double) { lose(in[to], to); });
    }
  }
  std::reverse(found.ends.begin(), found.ends.end());
  for (Vertex v = 0; v < n; ++v) {
    if (places[v].part == TrimSide::core) found.core.push_back(v);
  }
  for (const auto* list : {&found.starts, &found.core, &found.ends}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      places[(*list)[i]].at = static_cast<Vertex>(i);
    }
  }
  return places;
}

void add_arcs_into(Vertex v, const graph::ReversedArcs& reversed, const std::vector<Place>& places,
                   const std::array<ArcsInto*, 3>& by_part) {
  reversed.for_each_arc(v, [&](Vertex u, double weight) {
    ArcsInto* const arcs = by_part[static_cast<std::size_t>(places[u].part)];
    if (arcs == nullptr) return;
    arcs->from.push_back(static_cast<std::int32_t>(places[u].at));
    arcs->weight.push_back(weight);
  });
  for (ArcsInto* const arcs : by_part) {
    if (arcs != nullptr) arcs->end_vertex();
  }
}

}  // namespace

std::int64_t Trim::bytes() const {
  std::int64_t bytes = vertices() * 4;
  for (const ArcsInto* arcs : {&starts_from_starts, &core_from_starts, &ends_from_starts,
                               &ends_from_core, &ends_from_ends}) {
    bytes += std::ssize(arcs->offsets) * 8 + std::ssize(arcs->from) * 12;
  }
  return bytes;
}

Trim trim(const Graph& graph) {
  Trim found;
  const graph::ReversedArcs reversed(graph);
  const std::vector<Place> places = place_all(graph, reversed, found);
  for (const Vertex v : found.starts) {
    add_arcs_into(v, reversed, places, {nullptr, &found.starts_from_starts, nullptr});
  }
  std::size_t passed = 0;
  for (const Vertex v : found.core) {
    base::poll(++passed);
    add_arcs_into(v, reversed, places, {nullptr, &found.core_from_starts, nullptr});
  }
  for (const Vertex v : found.ends) {
    add_arcs_into(v, reversed, places,
                  {&found.ends_from_core, &found.ends_from_starts, &found.ends_from_ends});
  }
  GraphBuilder builder(std::ssize(found.core));
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    if (places[u].part != TrimSide::core || places[v].part != TrimSide::core) return;
    builder.add_edge(places[u].at, places[v].at, weight);
  });
  found.core_graph = std::move(builder).build();
  return found;
}

}  // namespace apsp::sparse
