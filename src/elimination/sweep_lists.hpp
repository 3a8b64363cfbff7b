// A factor as a device sweeps down over it: for every supernode the rows that its rows are made of,
// and their weights, as kernels/listed_rows.hpp takes them. The same for every block of sources.
//
// Supernodes whose ways to the root are equally long need nothing of each other: they are a group,
// and a group is one launch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/factor.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::elimination {

/// Supernodes of so many upper entries climb by themselves: their weights are packed for it, and
/// rows above them are made eight at a time. Others' are gathered row by row, in fewer launches.
inline constexpr std::int64_t kWideEntries = 1024;
inline bool climbs_alone(const Tree& tree, SupernodeId s) {
  return tree.width(s) * tree.upper_count(s) >= kWideEntries;
}

/// Calls f(k, rows) for pieces of the upper vertices of s that stand side by side in one
/// supernode: those from number k on.
template <class F>
void for_each_run(const Tree& tree, SupernodeId s, F&& f) {
  const auto upper = tree.upper(s);
  for (std::size_t k = 0; k < upper.size();) {
    const Position last = tree.first(tree.supernode_of(upper[k]) + 1) - 1;
    std::int32_t rows = 1;
    while (rows < kernels::kListedRows && k + static_cast<std::size_t>(rows) < upper.size() &&
           upper[k] + rows <= last &&
           upper[k + static_cast<std::size_t>(rows)] == upper[k] + rows) {
      ++rows;
    }
    f(static_cast<std::int64_t>(k), rows);
    k += static_cast<std::size_t>(rows);
  }
}

/// Items that one launch takes.
struct ItemGroup {
  std::int64_t first = 0, count = 0;
  std::int32_t widest = 1;
};

class SweepLists {
 public:
  explicit SweepLists(const Factor& factor);

  /// Values of the weights of all items; the bytes of all that is kept here.
  static std::int64_t weights_of(const Tree& tree);
  static std::int64_t items_of(const Tree& tree);

  /// Down: rows are positions, and lists begin at `tree.upper_begin(s)` of all upper positions.
  const std::vector<kernels::ListedItem>& items() const { return items_; }
  /// From the roots down.
  const std::vector<ItemGroup>& groups() const { return groups_; }
  const base::AlignedMemory& weights() const { return weights_; }
  /// Items that close the rows of s from what has climbed there (climb_lists.hpp): their weights
  /// are here; their rows of C are positions. `list`: where the numbers of those rows begin.
  void append_closing(SupernodeId s, std::int64_t list,
                      std::vector<kernels::ListedItem>& items) const;
  /// Items that carry the rows of s up: their weights are here too. `row_of(p)`: the row of an
  /// upper vertex. Requires: s climbs alone.
  template <class F>
  void append_climbing(SupernodeId s, std::int64_t list, F&& row_of,
                       std::vector<kernels::ListedItem>& items) const {
    std::int64_t weights = climbing_[static_cast<std::size_t>(s)];
    const auto upper = tree_.upper(s);
    for_each_run(tree_, s, [&](std::int64_t k, std::int32_t rows) {
      items.push_back({.weights = weights,
                       .list = list,
                       .depth = tree_.width(s),
                       .first_row = row_of(upper[static_cast<std::size_t>(k)]),
                       .rows = rows});
      weights += kernels::kListedRows * std::int64_t{tree_.width(s)};
    });
  }

 private:
  void pack_climbing(SupernodeId s, kernels::ConstView up, int value_size);
  void pack(SupernodeId s, kernels::ConstView closed, kernels::ConstView down, int value_size);
  void sort_by_level(const std::vector<std::int32_t>& level_of_item);

  const Tree& tree_;
  std::vector<kernels::ListedItem> items_;
  std::vector<ItemGroup> groups_;
  std::vector<std::int64_t> closing_;   // [supernodes] the first weight of each
  std::vector<std::int64_t> climbing_;  // [supernodes] the same, of those that climb alone
  std::int64_t packed_ = 0;             // values so far
  base::AlignedMemory weights_;
};

}  // namespace apsp::elimination
