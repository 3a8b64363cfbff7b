// What a tree is made of, to be kept and to make the same tree again, whatever order and rules for
// supernodes a later program has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elimination/tree.hpp"

namespace apsp::elimination {

TreeParts parts_of(const Tree& tree);

struct PartFault {
  std::string part;  // "order", "width", "upper_count", "upper"
  std::string what;
};

/// Why they make no tree of n vertices; empty: they do. In linear time.
std::optional<PartFault> fault_of(const TreeParts& parts, std::int64_t n);

/// Whether every arc joins two vertices of a supernode, or one and an upper vertex of its.
bool holds_arcs(const Tree& tree, const Graph& graph);

}  // namespace apsp::elimination
