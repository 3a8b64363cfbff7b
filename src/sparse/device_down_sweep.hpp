// The lists of downward sweeps of a factor on a device (kernels/listed_rows.hpp): for every
// supernode the rows that it gathers and their weights. They are the same for every block of
// sources.
//
// Supernodes at the same distance from their root are independent and form a level with launches of
// its own. If wide supernodes are most of the work, they and those above them are one launch
// before, in which items wait for those of their parent: a level of few items would leave most of a
// device idle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/rounded_up.hpp"
#include "base/value_types.hpp"
#include "kernels/listed_rows.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// Supernodes of this many entries of the factor sweep upward with packed weights and many rows
/// above them at a time ("wide"). Rows above the others are gathered one by one, in fewer launches.
inline constexpr std::int64_t kWideEntries = 1024;
inline bool wide_upward(const Tree& tree, SupernodeId s) {
  return tree.width(s) * tree.structure_size(s) >= kWideEntries;
}

/// If a factor streams, supernodes of this width are closed part by part, because a block cannot
/// carry their weights.
inline constexpr std::int32_t kClosesByParts = 128;
inline bool closes_by_parts(const Tree& tree, SupernodeId s) {
  return tree.width(s) >= kClosesByParts;
}

// An item runs as a wide one if it has at least `kLeastWide` rows, each of which lists at least
// `kLeastDepth` others, or fewer rows that list at least `kLeastDepthOfFew`.
inline constexpr std::int32_t kLeastWide = 20, kLeastDepth = 48, kLeastDepthOfFew = 144;

/// Returns the rows of the next item of a supernode, of `left` rows that list `depth` others: they
/// fill a block of a device, half of it or a quarter.
inline std::int32_t rows_of_item(std::int32_t left, std::int64_t depth) {
  constexpr std::int32_t kWhole = kernels::kWideRows, kHalf = kWhole / 2;
  if (left <= kernels::kListedRows ||
      depth < (left < kLeastWide ? kLeastDepthOfFew : kLeastDepth)) {
    return std::min(left, kernels::kListedRows);
  }
  return left > kHalf && left <= kHalf + kWhole / 4 ? kHalf : std::min(left, kWhole);
}

/// Calls f(k, rows, listed) for pieces of the row structure of s, which begin with number k: any
/// rows that follow each other in the list, or consecutive vertices of one supernode.
template <class F>
void for_each_upward(const Tree& tree, SupernodeId s, F&& f) {
  const auto upper = tree.upper(s);
  for (std::size_t k = 0; k < upper.size();) {
    const std::int32_t left = static_cast<std::int32_t>(upper.size() - k);
    const std::int32_t most = rows_of_item(left, tree.width(s));
    std::int32_t rows = 1;
    const bool listed = most > kernels::kListedRows;
    if (listed) {
      rows = most;
    } else {
      const Position last = tree.first(tree.supernode_of(upper[k]) + 1) - 1;
      while (rows < most && upper[k] + rows <= last &&
             upper[k + static_cast<std::size_t>(rows)] == upper[k] + rows) {
        ++rows;
      }
    }
    f(static_cast<std::int64_t>(k), rows, listed);
    k += static_cast<std::size_t>(rows);
  }
}

/// Calls f.operator()<T>(keep): keep(entry) is an entry of the factor, a T, in the form of gathered
/// rows.
template <class F>
void with_listed_entries(const Factor& factor, kernels::ListedForm form, F&& f) {
  if (form == kernels::ListedForm::whole) {
    f.template operator()<double>([](double entry) { return kernels::whole_listed(entry); });
    return;
  }
  base::with_type(factor.type(), [&]<class T>() {
    f.template operator()<T>(
        [semiring = factor.semiring()](T entry) { return kernels::listed_value(semiring, entry); });
  });
}

/// Items of one launch.
struct ItemGroup {
  std::int64_t first = 0, count = 0;
  std::int32_t widest = 1;
  bool large = false;  ///< wide items, or items that list many rows
  bool waits = false;  ///< items wait for each other
};
/// Sorts the items from number `first` on and groups them.
void make_groups(std::vector<kernels::ListedItem>& items, std::size_t first,
                 std::vector<ItemGroup>& groups);

/// The upward rows of a supernode in a block's lists (device_up_sweep.hpp).
struct UpwardRows {
  std::int64_t all = 0;      // the list of all rows
  std::int64_t reached = 0;  // the list of rows that a source reaches
  std::int32_t reached_count = 0;
  std::int32_t first = 0;  // the number of the first row
};

class DownSweepLists {
 public:
  /// `streams`: the factor passes through a device in parts, which have the weights of the downward
  /// sweep (sweep_parts.hpp). This object then has those of closing and of upward sweeps, which
  /// blocks carry.
  explicit DownSweepLists(const Factor& factor, int threads = 1, bool streams = false,
                          kernels::ListedForm form = kernels::ListedForm::values);
  /// Makes items without weights.
  DownSweepLists(const Tree& tree, bool streams);

  bool streams() const { return streams_; }
  kernels::ListedForm form() const { return form_; }
  /// Returns the number of values of all weights.
  static std::int64_t weights_of(const Tree& tree, bool streams = false);
  /// The first carried weight of s, and the number of values, whole widths of the widest items.
  /// Only for a factor that streams.
  std::int64_t carried_begin(SupernodeId s) const {
    return at((closes_by_parts(tree_, s) ? upward_ : closing_), s);
  }
  static std::int64_t carried_of(const Tree& tree, SupernodeId s);
  static std::int64_t items_of(const Tree& tree);

  /// Items of the downward sweep: rows are positions, and lists begin at `tree.upper_begin(s)` of
  /// all row structures.
  const std::vector<kernels::ListedItem>& items() const { return items_; }
  /// Groups from the roots down.
  const std::vector<ItemGroup>& groups() const { return groups_; }
  /// Groups of items that wait for each other, and their number for a tree.
  const std::vector<kernels::ListedGroup>& waiting() const { return waiting_; }
  static std::int64_t waiting_of(const Tree& tree);
  const system::AlignedMemory& weights() const { return weights_; }
  /// Appends items that close the rows of s from its upward rows. Their weights are those of this
  /// object, `shift` values later; their rows of C are positions.
  void append_closing(SupernodeId s, const UpwardRows& from, std::int64_t shift,
                      std::vector<kernels::ListedItem>& items) const;
  /// Appends items that relax the rows above s by those of s. `row_of(p)`: the row of a vertex of
  /// the row structure; `rows_listed`: the list of all these rows. Requires: s is wide.
  template <class F>
  void append_upward(SupernodeId s, const UpwardRows& from, std::int64_t shift,
                     std::int32_t rows_listed, F&& row_of,
                     std::vector<kernels::ListedItem>& items) const {
    std::int64_t weights = at(upward_, s) + shift;
    const auto upper = tree_.upper(s);
    for_each_upward(tree_, s, [&](std::int64_t k, std::int32_t rows, bool listed) {
      weights = begin_of(weights, rows);
      items.push_back(
          {.weights = weights,
           .list = from.all,
           .depth = tree_.width(s),
           .first_row = listed ? rows_listed + static_cast<std::int32_t>(k) : row_of(at(upper, k)),
           .rows = rows,
           .rows_are_listed = listed ? 1 : 0});
      leave_out_unreached(from, items.back());
      weights += std::int64_t{kernels::listed_width(rows)} * tree_.width(s);
    });
  }
  /// Returns the first weight of an item whose weights follow others: a multiple of its width.
  static std::int64_t begin_of(std::int64_t weights, std::int32_t rows) {
    return base::rounded_up(weights, kernels::listed_width(std::max(rows, kernels::kListedRows)));
  }
  /// Returns items of all weights of this object, whose row numbers of X and C are positions; none
  /// has many weights.
  /// `positions`: where lists have the positions 0, 1, 2, … Requires: the factor does not stream.
  std::vector<kernels::ListedItem> weight_items(std::int64_t positions) const;
  /// to [depth, listed_width(rows)] ← the weights of an item of the downward sweep.
  void pack_down(std::byte* to, const Factor& factor, const kernels::ListedItem& item) const;

 private:
  /// Leaves rows that no source reaches out of a wide item; narrow ones have little work.
  static void leave_out_unreached(const UpwardRows& from, kernels::ListedItem& item) {
    if (item.rows <= kernels::kListedRows) return;
    item.list = from.reached;
    item.depth = from.reached_count;
    item.weights_from = from.first;
  }
  std::int64_t down_depth(SupernodeId s) const { return streams_ ? 0 : tree_.structure_size(s); }

  void append_items(SupernodeId s);
  void pack(const kernels::ListedItem& item, const Factor& factor);
  void pack_upward(SupernodeId s, const Factor& factor);
  void sort_by_level();
  void add_waiting(std::size_t items);

  const Tree& tree_;
  bool streams_;
  kernels::ListedForm form_ = kernels::ListedForm::values;
  std::vector<kernels::ListedItem> items_;
  std::vector<ItemGroup> groups_;
  std::vector<kernels::ListedGroup> waiting_;
  std::vector<std::int64_t> closing_;  // [supernodes] the first weight of each
  std::vector<std::int64_t> upward_;   // [supernodes] the first upward weight of wide ones
  system::AlignedMemory weights_;
};

}  // namespace apsp::sparse
