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

 private:
  void pack(SupernodeId s, kernels::ConstView closed, kernels::ConstView down, int value_size);
  void sort_by_level(const std::vector<std::int32_t>& level_of_item);

  const Tree& tree_;
  std::vector<kernels::ListedItem> items_;
  std::vector<ItemGroup> groups_;
  std::vector<std::int64_t> closing_;  // [supernodes] the first weight of each
  std::int64_t packed_ = 0;            // values so far
  base::AlignedMemory weights_;
};

}  // namespace apsp::elimination
