// Subtrees that threads eliminate side by side, and the supernodes above them, which they
// eliminate one after another together.
#pragma once

#include <vector>

#include "elimination/tree.hpp"

namespace apsp::elimination {

/// Supernodes [first, last]: a subtree with its root last.
struct Subtree {
  SupernodeId first, last;
  double relaxations;
  double cost;  // relaxations, and what fronts cost beside them
};

struct Subtrees {
  std::vector<Subtree> apart;      // disjoint, the largest first
  std::vector<SupernodeId> above;  // all others, children before parents
};

Subtrees subtrees_of(const Tree& tree, int threads);

}  // namespace apsp::elimination
