#include "search/links.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <limits>

#include "base/control.hpp"
#include "graph/components.hpp"

namespace apsp::search {

void check_arc_count(const Graph& graph) {
  if (graph.arc_count() <= std::int64_t{std::numeric_limits<std::uint32_t>::max()}) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("{} arcs are too many for searches, which take 2^32 - 1 of them; "
                          "Floyd-Warshall takes a graph that dense",
                          graph.arc_count()));
}

Links links_of(const Graph& graph) {
  check_arc_count(graph);
  const std::int64_t n = graph.vertex_count();
  Links links;
  links.first.reserve(static_cast<std::size_t>(n) + 1);
  links.first.push_back(0);
  links.targets.reserve(static_cast<std::size_t>(graph.arc_count()));
  const auto end_rows_before = [&](std::int64_t v) {
    const auto end = static_cast<std::uint32_t>(links.targets.size());
    while (links.vertices() < v) links.first.push_back(end);
  };
  graph.visit_all([&](Vertex from, Vertex to, double) {
    end_rows_before(from);
    const bool parallel = links.targets.size() > links.first.back() && links.targets.back() == to;
    if (from != to && !parallel) links.targets.push_back(to);
  });
  end_rows_before(n);
  return links;
}

Links reversed(const Links& links) {
  const auto n = static_cast<std::size_t>(links.vertices());
  Links reversed;
  reversed.first.assign(n + 1, 0);
  reversed.targets.resize(links.targets.size());
  for (const Vertex to : links.targets) ++reversed.first[to + std::size_t{1}];
  for (std::size_t v = 0; v < n; ++v) reversed.first[v + 1] += reversed.first[v];
  std::vector<std::uint32_t> next(reversed.first.begin(), reversed.first.end() - 1);
  for (Vertex from = 0; from < n; ++from) {
    base::poll(from);
    for (const Vertex to : links.of(from)) reversed.targets[next[to]++] = from;
  }
  return reversed;
}

std::vector<Vertex> clustered_order(const Links& links, std::int64_t size) {
  const auto n = static_cast<std::size_t>(links.vertices());
  std::vector<Vertex> order, rim;  // `rim`: neighbours of clusters, in order of discovery
  order.reserve(n);
  std::vector<bool> placed(n, false);
  std::size_t next_of_rim = 0;
  Vertex next_of_all = 0;
  const auto place = [&](Vertex v) {
    placed[v] = true;
    order.push_back(v);
  };
  while (order.size() < n) {
    // Begins a cluster, or continues one that has run out of neighbours.
    while (next_of_rim < rim.size() && placed[rim[next_of_rim]]) ++next_of_rim;
    if (next_of_rim == rim.size()) {
      while (placed[next_of_all]) ++next_of_all;
      rim.push_back(next_of_all);
    }
    std::size_t head = order.size();
    const std::size_t end =
        std::min(n, (head / static_cast<std::size_t>(size) + 1) * static_cast<std::size_t>(size));
    place(rim[next_of_rim]);
    for (; head < order.size(); ++head) {
      base::poll(head);
      for (const Vertex to : links.of(order[head])) {
        if (placed[to]) continue;
        if (order.size() < end) {
          place(to);
        } else {
          rim.push_back(to);
        }
      }
    }
  }
  return order;
}

namespace {

Links links_of_pairs(std::int64_t n, std::vector<std::uint64_t>&& pairs) {
  std::size_t compared = 0;
  std::sort(pairs.begin(), pairs.end(), [&](std::uint64_t a, std::uint64_t b) {
    base::poll(++compared);
    return a < b;
  });
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

}  // namespace

ComponentLinks component_links(const Graph& graph) {
  check_arc_count(graph);
  const Components strong = ordered_strong_components(graph);
  const auto component = [&](Vertex v) { return static_cast<std::uint64_t>(strong.of[v]); };
  std::vector<std::uint64_t> pairs;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (component(from) != component(to)) pairs.push_back(component(to) << 32 | component(from));
  });
  return {{strong.of.begin(), strong.of.end()}, links_of_pairs(strong.count, std::move(pairs))};
}

}  // namespace apsp::search
