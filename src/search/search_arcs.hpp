// The arcs of a graph as searches read them: compressed rows in narrow arrays, a target beside its
// weight, loops left out, of parallel arcs the better one. All threads read one copy.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/arc_walk.hpp"
#include "search/links.hpp"

namespace apsp::search {

template <class Key>
struct KeyedArc {
  Vertex to = 0;
  Key weight = 0;  // the less the better
};

template <class Key>
struct SearchArcs {
  std::vector<std::uint32_t> first;  // [n + 1] arcs of all vertices before each
  std::vector<KeyedArc<Key>> arcs;   // [arcs]
  Key greatest = 0;                  // of all weights
  bool symmetric = false;            // every arc has its mirror image, of the same weight

  std::int64_t vertices() const { return std::ssize(first) - 1; }
};

/// `key_of(from, to, weight)` is the key of an arc; less is better. Vertex order[i] of the graph is
/// vertex i of the result. O(n + m). Throws `Error` (does_not_fit) for 2^32 arcs or more.
template <class Key, class KeyOf>
SearchArcs<Key> search_arcs(const Graph& graph, std::span<const Vertex> order, KeyOf&& key_of) {
  check_arc_count(graph);
  std::vector<Vertex> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<Vertex>(i);
  SearchArcs<Key> result;
  result.symmetric = graph.symmetric();
  result.first.reserve(order.size() + 1);
  result.first.push_back(0);
  result.arcs.reserve(static_cast<std::size_t>(graph.arc_count()));
  graph::ArcWalk walk(graph, graph::Pages::given_back);
  for (const Vertex from : order) {
    walk.for_each_arc(from, [&](Vertex target, double weight) {
      if (from == target) return;
      const Key key = key_of(from, target, weight);
      const Vertex to = number[target];
      result.greatest = std::max(result.greatest, key);
      const bool parallel = result.arcs.size() > result.first.back() && result.arcs.back().to == to;
      if (!parallel) {
        result.arcs.push_back({to, key});
      } else if (key < result.arcs.back().weight) {
        result.arcs.back().weight = key;
      }
    });
    result.first.push_back(static_cast<std::uint32_t>(result.arcs.size()));
  }
  return result;
}

}  // namespace apsp::search
