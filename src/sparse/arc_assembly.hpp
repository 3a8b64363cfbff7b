// The arcs of a graph, sorted by the supernode whose front receives them.
#pragma once

#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/tree.hpp"

namespace apsp::sparse {

struct Entry {
  Position row, col;
  double weight;
};

/// The supernodes to eliminate: all of them, or chosen ones with their ancestors.
class Chosen {
 public:
  Chosen() = default;
  /// Chooses the supernodes that receive `arcs`, and their ancestors.
  Chosen(const Tree& tree, std::span<const VertexPair> arcs);
  bool holds_all() const { return chosen_.empty(); }
  bool holds(SupernodeId s) const { return chosen_.empty() || at(chosen_, s) != 0; }

 private:
  std::vector<char> chosen_;  // [supernodes], or empty: all
};

/// Returns whether the factor has an entry for every arc of the graph.
bool holds_arcs(const Tree& tree, const Graph& graph);

/// Returns the arcs by the supernode that is eliminated first of their two ends, if it is chosen.
/// Arcs of a symmetric graph are those on and below the diagonal. Arcs of vertices without a
/// position are left out.
BySupernode<Entry> entries_of(const Graph& graph, const Tree& tree, const Chosen& chosen);

}  // namespace apsp::sparse
