#include "elimination/entries.hpp"

#include <algorithm>

namespace apsp::elimination {
namespace {

std::size_t holder(const Tree& tree, const Entry& entry) {
  return static_cast<std::size_t>(tree.supernode_of(std::min(entry.row, entry.col)));
}

}  // namespace

Chosen::Chosen(const Tree& tree, std::span<const VertexPair> arcs)
    : chosen_(static_cast<std::size_t>(tree.supernodes())) {
  const auto& position_of = tree.order().position_of;
  for (const VertexPair& arc : arcs) {
    SupernodeId s = tree.supernode_of(std::min(position_of[arc.from], position_of[arc.to]));
    for (; s >= 0 && chosen_[static_cast<std::size_t>(s)] == 0; s = tree.parent(s)) {
      chosen_[static_cast<std::size_t>(s)] = 1;
    }
  }
}

Entries::Entries(const Graph& graph, const Tree& tree, const Chosen& chosen)
    : begin_(static_cast<std::size_t>(tree.supernodes()) + 1), chosen_(chosen) {
  for_each(graph, tree, [&](const Entry& entry) { ++begin_[holder(tree, entry) + 1]; });
  for (std::size_t s = 1; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
  entries_.resize(static_cast<std::size_t>(begin_.back()));
  std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
  for_each(graph, tree, [&](const Entry& entry) {
    entries_[static_cast<std::size_t>(next[holder(tree, entry)]++)] = entry;
  });
}

template <class F>
void Entries::for_each(const Graph& graph, const Tree& tree, F&& visit) const {
  const auto& position_of = tree.order().position_of;
  if (graph.symmetric() && !chosen_.holds_all()) return for_each_of_chosen(graph, tree, visit);
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    const Entry entry{position_of[from], position_of[to], weight};
    if (graph.symmetric() && entry.row < entry.col) return;
    if (chosen_.holds(static_cast<SupernodeId>(holder(tree, entry)))) visit(entry);
  });
}

/// Of a symmetric graph, whose arcs are seen from their earlier ends: most supernodes are passed.
template <class F>
void Entries::for_each_of_chosen(const Graph& graph, const Tree& tree, F&& visit) const {
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (!chosen_.holds(s)) continue;
    for (Position p = tree.first(s); p < tree.first(s + 1); ++p) {
      const Vertex from = tree.order().vertex_at[static_cast<std::size_t>(p)];
      graph.for_each_arc(from, [&](Vertex to, double weight) {
        const Position later = tree.order().position_of[to];
        if (later >= p) visit(Entry{later, p, weight});
      });
    }
  }
}

}  // namespace apsp::elimination
