// Sweeps to some vertices: down the ways that lead to them alone (RPHAST: Delling 2011b, with
// supernodes).
//
// The distances to a vertex follow from those to its row structure, all of them its ancestors in
// the tree. So the supernodes of the targets and those above them are all that a sweep visits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "elimination/tree.hpp"

namespace apsp::elimination {

/// The supernodes that hold one of the vertices, and those above them; falling.
inline std::vector<SupernodeId> ways_to(const Tree& tree, std::span<const Vertex> targets) {
  std::vector<bool> seen(static_cast<std::size_t>(tree.supernodes()));
  std::vector<SupernodeId> ways;
  for (const Vertex target : targets) {
    SupernodeId s = tree.supernode_of(tree.order().position_of[target]);
    for (; s >= 0 && !seen[static_cast<std::size_t>(s)]; s = tree.parent(s)) {
      seen[static_cast<std::size_t>(s)] = true;
      ways.push_back(s);
    }
  }
  std::sort(ways.rbegin(), ways.rend());
  return ways;
}

/// The targets of sweeps: where the distance to each goes in a row, and which supernodes lead
/// there.
class TargetWays {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `targets`: distinct; none stand for all, from the first to the last. The tree outlives this.
  TargetWays(const Tree& tree, std::span<const Vertex> targets)
      : tree_(tree),
        columns_(targets.empty() ? tree.vertices() : std::ssize(targets)),
        ways_(ways_to(tree, targets)) {
    if (targets.empty()) return;
    column_of_.assign(static_cast<std::size_t>(tree.vertices()), kNone);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Position p = tree.order().position_of[targets[i]];
      column_of_[static_cast<std::size_t>(p)] = static_cast<std::uint32_t>(i);
    }
  }

  /// Of some targets; of all it takes nothing.
  static std::int64_t bytes(const Tree& tree) {
    return tree.vertices() * std::int64_t{sizeof(std::uint32_t)} +
           tree.supernodes() * std::int64_t{sizeof(SupernodeId)};
  }

  /// Which supernodes to visit, falling; empty: all.
  std::span<const SupernodeId> ways() const { return ways_; }
  std::int64_t columns() const { return columns_; }

  /// act(first, columns) for runs of positions in [first, first + count) that are targets; their
  /// columns.
  template <class F>
  void for_each_run(Position first, std::int64_t count, F&& act) const {
    const auto& all = column_of_.empty() ? tree_.order().vertex_at : column_of_;
    const std::span<const std::uint32_t> columns(all.data() + first,
                                                 static_cast<std::size_t>(count));
    for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
      end = begin + 1;
      if (columns[begin] == kNone) continue;
      while (end < columns.size() && columns[end] != kNone) ++end;
      act(first + static_cast<Position>(begin), columns.subspan(begin, end - begin));
    }
  }

 private:
  const Tree& tree_;
  std::int64_t columns_;
  std::vector<SupernodeId> ways_;
  std::vector<std::uint32_t> column_of_;  // [n] by position, kNone; empty: the numbers of the graph
};

}  // namespace apsp::elimination
