// The arcs of a graph by the supernode whose elimination takes them up.
#pragma once

#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "elimination/tree.hpp"

namespace apsp::elimination {

/// An arc between two positions.
struct Entry {
  Position row, col;
  double weight;
};

/// Which supernodes are eliminated: all, or those chosen and thus all above them.
class Chosen {
 public:
  Chosen() = default;
  /// Those where the arcs are taken up, and all above them.
  Chosen(const Tree& tree, std::span<const VertexPair> arcs);
  bool holds_all() const { return chosen_.empty(); }
  bool holds(SupernodeId s) const { return chosen_.empty() || at(chosen_, s) != 0; }

 private:
  std::vector<char> chosen_;  // [supernodes], or empty: all
};

/// Whether the factor has an entry for every arc: it joins two vertices of a supernode, or one and
/// an upper vertex of its.
bool holds_arcs(const Tree& tree, const Graph& graph);

/// Arcs by the supernode that is eliminated first of their two ends, where that is chosen. Of a
/// symmetric graph only those on and below the diagonal.
BySupernode<Entry> entries_of(const Graph& graph, const Tree& tree, const Chosen& chosen);

}  // namespace apsp::elimination
