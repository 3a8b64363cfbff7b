// Restricted sweeps to some targets (RPHAST: Delling 2011b, with supernodes).
//
// The distances to a vertex follow from those to its row structure, which consists of ancestors. So
// a sweep visits only the supernodes of the targets and their ancestors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/tree.hpp"
#include "store/selection.hpp"

namespace apsp::sparse {

/// Returns the supernodes of the vertices and their ancestors, descending.
inline std::vector<SupernodeId> ways_to(const Tree& tree, std::span<const Vertex> targets) {
  std::vector<bool> seen(static_cast<std::size_t>(tree.supernodes()));
  std::vector<SupernodeId> ways;
  for (const Vertex target : targets) {
    mark_above(tree, tree.order().position_of[target], seen, true,
               [&](SupernodeId s) { ways.push_back(s); });
  }
  std::sort(ways.rbegin(), ways.rend());
  return ways;
}

/// The targets of sweeps: their columns, and the supernodes to visit.
class TargetSelection {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The tree must outlive this.
  TargetSelection(const Tree& tree, const store::VertexList& targets)
      : tree_(tree),
        columns_(targets.size(tree.vertices())),
        ways_(ways_to(tree, targets.listed())) {
    if (targets.is_all()) return;
    column_of_.assign(static_cast<std::size_t>(tree.vertices()), kNone);
    for (std::int64_t i = 0; i < columns_; ++i) {
      const Position p = tree.order().position_of[targets.at(i)];
      at(column_of_, p) = static_cast<std::uint32_t>(i);
    }
  }

  /// Bytes of a selection that is not all targets.
  static std::int64_t bytes(const Tree& tree) {
    return tree.vertices() * std::int64_t{sizeof(std::uint32_t)} +
           tree.supernodes() * std::int64_t{sizeof(SupernodeId)};
  }

  /// The supernodes to visit, descending; empty: all.
  std::span<const SupernodeId> ways() const { return ways_; }
  std::int64_t columns() const { return columns_; }

  /// Calls act(first, columns) for runs of targets in positions [first, first + count).
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
  std::vector<std::uint32_t> column_of_;  // [n] by position, kNone; empty: columns are vertices
};

}  // namespace apsp::sparse
