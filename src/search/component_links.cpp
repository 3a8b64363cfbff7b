#include "search/component_links.hpp"

#include <algorithm>

#include "graph/components.hpp"

namespace apsp::search {
namespace {

/// Compressed rows of pairs (row, target), of equal ones one.
Links links_of_pairs(std::int64_t n, std::vector<std::uint64_t>&& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Links links;
  links.first.assign(static_cast<std::size_t>(n) + 1, 0);
  links.targets.reserve(pairs.size());
  for (const std::uint64_t pair : pairs) {
    ++links.first[(pair >> 32) + 1];
    links.targets.push_back(static_cast<Vertex>(pair));
  }
  for (std::size_t v = 0; v < static_cast<std::size_t>(n); ++v)
    links.first[v + 1] += links.first[v];
  return links;
}

/// [n] place of each vertex in an order in which every arc leads onward (Kahn 1962). Requires:
/// acyclic.
std::vector<std::uint32_t> topological_places(const Links& links) {
  const auto n = static_cast<std::size_t>(links.vertices());
  std::vector<std::uint32_t> arcs_in(n, 0), place(n, 0);
  for (const Vertex to : links.targets) ++arcs_in[to];
  std::vector<Vertex> order;
  order.reserve(n);
  for (Vertex v = 0; v < n; ++v) {
    if (arcs_in[v] == 0) order.push_back(v);
  }
  for (std::size_t head = 0; head < order.size(); ++head) {
    place[order[head]] = static_cast<std::uint32_t>(head);
    for (const Vertex to : links.of(order[head])) {
      if (--arcs_in[to] == 0) order.push_back(to);
    }
  }
  return place;
}

}  // namespace

ComponentLinks component_links(const Graph& graph) {
  check_arc_count(graph);
  const Components strong = strong_components(graph);
  const auto component = [&](Vertex v) { return static_cast<std::uint64_t>(strong.of[v]); };
  std::vector<std::uint64_t> pairs;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (component(from) != component(to)) pairs.push_back(component(from) << 32 | component(to));
  });
  const Links after = links_of_pairs(strong.count, std::move(pairs));
  const std::vector<std::uint32_t> place = topological_places(after);
  pairs.clear();
  for (Vertex c = 0; c < strong.count; ++c) {
    for (const Vertex to : after.of(c)) {
      pairs.push_back(std::uint64_t{place[to]} << 32 | place[c]);
    }
  }
  ComponentLinks result;
  result.before = links_of_pairs(strong.count, std::move(pairs));
  for (Vertex v = 0; v < graph.vertex_count(); ++v) result.of.push_back(place[component(v)]);
  return result;
}

}  // namespace apsp::search
