// The arcs of a graph as searches read them: compressed rows in narrow arrays, a target beside its
// weight, loops left out, of parallel arcs the better one. All threads read one copy.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <vector>

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
  std::vector<KeyedArc<Key>> arcs;   // [arcs], rising by target in a row
  Key greatest = 0;                  // of all weights
  bool symmetric = false;            // every arc has its mirror image, of the same weight

  std::int64_t vertices() const { return std::ssize(first) - 1; }
};

/// `key_of(from, to, weight)` is the key of an arc; less is better. O(n + m). Throws `Error`
/// (does_not_fit) for 2^32 arcs or more.
template <class Key, class KeyOf>
SearchArcs<Key> search_arcs(const Graph& graph, KeyOf&& key_of) {
  check_arc_count(graph);
  SearchArcs<Key> result;
  result.symmetric = graph.symmetric();
  result.first.reserve(static_cast<std::size_t>(graph.vertex_count()) + 1);
  result.first.push_back(0);
  result.arcs.reserve(static_cast<std::size_t>(graph.arc_count()));
  std::int64_t row = 0;
  const auto end_rows_before = [&](std::int64_t v) {
    for (; row < v; ++row) result.first.push_back(static_cast<std::uint32_t>(result.arcs.size()));
  };
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    end_rows_before(from);
    if (from == to) return;
    const Key key = key_of(from, to, weight);
    const bool parallel = result.arcs.size() > result.first.back() && result.arcs.back().to == to;
    if (!parallel) {
      result.arcs.push_back({to, key});
    } else if (key < result.arcs.back().weight) {
      result.arcs.back().weight = key;
    }
  });
  end_rows_before(graph.vertex_count());
  for (const KeyedArc<Key>& arc : result.arcs) {
    if (result.greatest < arc.weight) result.greatest = arc.weight;
  }
  return result;
}

}  // namespace apsp::search
