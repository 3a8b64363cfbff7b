#include "sparse/arc_assembly.hpp"

#include <algorithm>

namespace apsp::sparse {
namespace {

/// The arcs of a symmetric graph are seen from their earlier ends, so that most supernodes are
/// skipped.
template <class F>
void for_each_of_chosen(const Graph& graph, const Tree& tree, const Chosen& chosen, F&& visit) {
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (!chosen.holds(s)) continue;
    for (Position p = tree.first(s); p < tree.first(s + 1); ++p) {
      graph.for_each_arc(at(tree.order().vertex_at, p), [&](Vertex to, double weight) {
        const Position later = tree.order().position_of[to];
        if (later >= p) visit(s, Entry{later, p, weight});
      });
    }
  }
}

}  // namespace

Chosen::Chosen(const Tree& tree, std::span<const VertexPair> arcs)
    : chosen_(static_cast<std::size_t>(tree.supernodes())) {
  const auto& position_of = tree.order().position_of;
  for (const VertexPair& arc : arcs) {
    const Position earlier = std::min(position_of[arc.from], position_of[arc.to]);
    mark_above(tree, earlier, chosen_, char{1}, [](SupernodeId) {});
  }
}

bool holds_arcs(const Tree& tree, const Graph& graph) {
  bool all = true;
  const auto& position_of = tree.order().position_of;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    const auto [earlier, later] = std::minmax(position_of[from], position_of[to]);
    const SupernodeId s = tree.supernode_of(earlier);
    if (later < tree.first(s + 1)) return;
    const auto upper = tree.upper(s);
    all = all && std::binary_search(upper.begin(), upper.end(), later);
  });
  return all;
}

BySupernode<Entry> entries_of(const Graph& graph, const Tree& tree, const Chosen& chosen) {
  const auto& position_of = tree.order().position_of;
  return {tree.supernodes(), [&](auto&& visit) {
            if (graph.symmetric() && !chosen.holds_all()) {
              return for_each_of_chosen(graph, tree, chosen, visit);
            }
            graph.visit_all([&](Vertex from, Vertex to, double weight) {
              const Entry entry{position_of[from], position_of[to], weight};
              if (graph.symmetric() && entry.row < entry.col) return;
              if (std::min(entry.row, entry.col) < 0) return;  // of another process
              const SupernodeId s = tree.supernode_of(std::min(entry.row, entry.col));
              if (chosen.holds(s)) visit(s, entry);
            });
          }};
}

}  // namespace apsp::sparse
