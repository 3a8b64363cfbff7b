// A factor's way down in parts, for a device whose memory does not hold all of it.
//
// The items of a sweep, in the order in which they are launched, are cut into parts of so many
// bytes: items, the rows that they list, the groups that wait for each other, weights. The first
// part, next to the roots, stays on the device. The others pass through it for every block of
// sources, so that a block must have enough of them for each weight that is copied. An item's
// numbers count from its part; groups that a cut separates need not wait for each other.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/device_down_sweep.hpp"
#include "elimination/factor.hpp"

namespace apsp::elimination {

struct SweepPart {
  std::int64_t first_item = 0, items = 0;
  std::int64_t listed = 0, values = 0;  // row numbers and weights
  std::int64_t waiting = 0;             // groups that wait
  std::int64_t begin = 0;               // in the memory of all parts, bytes
  std::vector<ItemGroup> launches{};    // of items that count from `first_item`
};

class SweepParts {
 public:
  /// Only cuts. `lists` are of the tree, and of a factor that streams. Throws `Error`
  /// (does_not_fit) if an item takes more than a part.
  SweepParts(const DownSweepLists& lists, const Tree& tree, ValueType type, const SweepCut& cut);

  /// Fills the memory of all parts. Requires: the tree is the factor's.
  void pack(const Factor& factor, int threads);

  /// The first stays, and may be empty.
  const std::vector<SweepPart>& parts() const { return parts_; }
  /// Items, lists, groups and weights of a part: where they begin in it, and all of it, bytes.
  struct Offsets {
    std::int64_t lists, groups, weights, bytes;
  };
  Offsets layout(const SweepPart& part) const { return layout(part, size_); }
  const std::byte* data(const SweepPart& part) const { return memory_.data() + part.begin; }
  const base::AlignedMemory& memory() const { return memory_; }

  std::int64_t bytes() const;           // of all
  std::int64_t resident_bytes() const;  // of the first
  std::int64_t largest_bytes() const;   // of the largest of the others
  /// Of memory through which they pass, and the weights of wide supernodes that are closed.
  std::int64_t buffer_bytes() const;
  std::int64_t most_waiting() const;  // groups of a part

  /// The least `SweepCut::part` that works for a tree.
  static std::int64_t least_part(const DownSweepLists& lists, const Tree& tree, ValueType type);

 private:
  static Offsets layout(const SweepPart& part, int value_size);
  void add(const ItemGroup& group, const kernels::ListedItem& item);
  bool fits(const SweepPart& part) const;
  SweepPart with(const ItemGroup& group, const kernels::ListedItem& item) const;
  void place(const ItemGroup& group, kernels::ListedItem item);

  const DownSweepLists& lists_;
  const Tree& tree_;
  int size_;  // of a value
  SweepCut cut_;
  bool closes_by_parts_ = false;
  std::vector<SweepPart> parts_;
  std::vector<kernels::ListedItem> items_;     // of all parts, in order
  std::vector<kernels::ListedGroup> waiting_;  // the same
  std::vector<std::int64_t> list_of_;          // [supernodes] in the part that listed it last
  std::vector<std::size_t> listed_by_;         // [supernodes] that part, from 1 on
  std::vector<std::int32_t> group_of_;         // [groups of `lists`] in the part that has it last
  std::vector<std::size_t> grouped_by_;        // [groups of `lists`] that part, from 1 on
  std::size_t launched_ = 0;                   // the group of `lists` that the last item is of
  base::AlignedMemory memory_;
};

}  // namespace apsp::elimination
