// The downward sweep over a factor in parts, for a device whose memory cannot hold the factor.
//
// The items of a sweep are divided, in launch order, into parts of limited bytes: items, listed
// rows, waiting groups, weights. The first part, next to the roots, stays on the device. The others
// are copied for every block of sources, so a block must have enough sources for each weight. Item
// numbers are relative to the part. Groups in different parts need not wait for each other.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse/device_down_sweep.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

struct SweepPart {
  std::int64_t first_item = 0, items = 0;
  std::int64_t listed = 0, values = 0;  // row numbers and weights
  std::int64_t waiting = 0;
  std::int64_t begin = 0;             // bytes, in the memory of all parts
  std::vector<ItemGroup> launches{};  // items are numbered from `first_item`
};

class SweepParts {
 public:
  /// Divides the items without copying weights. `lists`: of the tree, and of a factor that streams.
  /// Throws `Error` (does_not_fit) if an item takes more than a part.
  SweepParts(const DownSweepLists& lists, const Tree& tree, ValueType type,
             const FactorPartition& partition);

  /// Fills the memory of all parts. Requires: the tree is the factor's.
  void pack(const Factor& factor, int threads);

  /// The first part stays on the device and may be empty.
  const std::vector<SweepPart>& parts() const { return parts_; }
  /// Byte offsets of a part's items, lists, groups and weights, and its size.
  struct Offsets {
    std::int64_t lists, groups, weights, bytes;
  };
  Offsets layout(const SweepPart& part) const { return layout(part, size_); }
  const std::byte* data(const SweepPart& part) const { return memory_.data() + part.begin; }
  const system::AlignedMemory& memory() const { return memory_; }

  std::int64_t bytes() const;
  std::int64_t resident_bytes() const;
  std::int64_t largest_bytes() const;
  /// Bytes of a buffer for one part and the weights of wide supernodes that are closed.
  std::int64_t buffer_bytes() const;
  std::int64_t most_waiting() const;

  /// Returns the least `FactorPartition::part` that works for a tree.
  static std::int64_t least_part(const DownSweepLists& lists, const Tree& tree, ValueType type);

 private:
  static Offsets layout(const SweepPart& part, int value_size);
  void add(const ItemGroup& group, const kernels::ListedItem& item);
  bool fits(const SweepPart& part) const;
  SweepPart with(const ItemGroup& group, const kernels::ListedItem& item) const;
  void place(const ItemGroup& group, kernels::ListedItem item);

  const DownSweepLists& lists_;
  const Tree& tree_;
  int size_;
  FactorPartition partition_;
  bool closes_by_parts_ = false;
  std::vector<SweepPart> parts_;
  std::vector<kernels::ListedItem> items_;
  std::vector<kernels::ListedGroup> waiting_;
  // [supernodes] offset in the last part that lists its rows
  std::vector<std::int64_t> list_of_;
  std::vector<std::size_t> listed_by_;  // [supernodes] that part, from 1 on
  // [groups of `lists`] number in the last part that has it
  std::vector<std::int32_t> group_of_;
  std::vector<std::size_t> grouped_by_;  // [groups of `lists`] that part, from 1 on
  std::size_t launched_ = 0;
  system::AlignedMemory memory_;
};

}  // namespace apsp::sparse
