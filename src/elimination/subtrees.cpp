#include "elimination/subtrees.hpp"

#include <algorithm>

namespace apsp::elimination {
namespace {

/// Subtrees of about this share of a thread's work let all threads end together.
constexpr double kShareOfAThread = 0.125;
/// What a front costs beside its relaxations and its entries, as so many relaxations.
constexpr double kFrontOverhead = 1000;

std::vector<Subtree> all_subtrees(const Tree& tree) {
  std::vector<Subtree> subtrees;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto w = static_cast<double>(tree.width(s));
    const double side = w + static_cast<double>(tree.structure_size(s));
    const double relaxations = w * side * side;
    subtrees.push_back({s, s, relaxations, relaxations + kFrontOverhead + kAssembly * side * side});
  }
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (tree.parent(s) < 0) continue;
    Subtree& parent = subtrees[static_cast<std::size_t>(tree.parent(s))];
    parent.first = std::min(parent.first, subtrees[static_cast<std::size_t>(s)].first);
    parent.relaxations += subtrees[static_cast<std::size_t>(s)].relaxations;
    parent.cost += subtrees[static_cast<std::size_t>(s)].cost;
  }
  return subtrees;
}

}  // namespace

Subtrees subtrees_of(const Tree& tree, int threads) {
  const std::vector<Subtree> all = all_subtrees(tree);
  double total = 0;
  for (const Subtree& subtree : all) {
    if (tree.parent(subtree.last) < 0) total += subtree.cost;
  }
  const double large = kShareOfAThread * total / threads;
  Subtrees found;
  // From the roots down: children have smaller numbers than their parents.
  for (auto s = static_cast<SupernodeId>(all.size()) - 1; s >= 0;) {
    const Subtree& subtree = all[static_cast<std::size_t>(s)];
    if (threads > 1 && subtree.cost > large) {
      found.above.push_back(s--);
    } else {
      found.apart.push_back(subtree);
      s = subtree.first - 1;
    }
  }
  std::reverse(found.above.begin(), found.above.end());
  std::stable_sort(found.apart.begin(), found.apart.end(),
                   [](const Subtree& a, const Subtree& b) { return a.cost > b.cost; });
  return found;
}

}  // namespace apsp::elimination
