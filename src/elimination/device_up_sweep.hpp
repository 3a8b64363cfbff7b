// The upward sweep of a block of sources to the roots, as lists for a device
// (kernels/listed_rows.hpp).
//
// Only the supernodes of the sources and their ancestors take part. Each of their vertices has an
// upward row, [lanes], numbered in the order of elimination. A row begins with no path, and the
// empty path in the column of its source. It is relaxed over the entries of all supernodes below it
// at once: a vertex gathers what the host's upward sweep (sweep.cpp) scatters, so that no two items
// write the same row. Wide supernodes scatter in rounds, whose supernodes have disjoint row
// structures. Finally the rows of each supernode are closed and written to its positions in the
// matrix of distances. Wide items skip rows that no source reaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/device_down_sweep.hpp"
#include "elimination/factor.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::elimination {

/// Sizes of the upward sweep of a block, or their maxima over several blocks.
struct UpwardSize {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::int64_t weights = 0;  // values: of the listed rows, and those that a block copies
  std::int64_t above = 0;
  std::int64_t items = 0;
  std::int64_t passing = 0;  // values: weights of supernodes that are closed in parts
};

/// Weights that a block copies: `values` of those of `DownSweepLists`, from `begin` on, to `place`
/// among the block's.
struct CarriedWeights {
  std::int64_t begin = 0, place = 0, values = 0;
};

/// Items that close some rows of a wide supernode if the factor streams. Their weights are `values`
/// of those of `DownSweepLists`, from `begin` on.
struct ClosingPart {
  std::int64_t begin = 0, values = 0;
  std::vector<ItemGroup> groups{};
};

/// Items of one launch of the upward sweep.
struct UpwardGroup {
  ItemGroup items;
  bool alone = false;  ///< whether weights are those of `DownSweepLists`, not of this
};

class UpSweepLists {
 public:
  /// `part_values`: weights of a closing part, at most, if the factor streams.
  UpSweepLists(const Factor& factor, const DownSweepLists& down, std::int64_t part_values = 0);

  /// Returns the maxima over blocks of `lanes` sources that are adjacent in the order.
  static UpwardSize largest(const Tree& tree, std::span<const Vertex> sources, std::int64_t lanes,
                            bool streams = false);

  /// Returns the relaxations of upward sweeps and closing, over all blocks. Thousands of blocks are
  /// sampled.
  static double relaxations(const Tree& tree, std::span<const Vertex> sources, std::int64_t lanes);

  /// Lists the sweep of these sources, which are distinct: source i begins in column i.
  void find(std::span<const Vertex> sources);

  std::int64_t rows() const { return std::ssize(columns_); }
  /// Items, lists and weights; groups from the sources up, all of which add to rows, then groups
  /// that close rows. Weights of closing are in `DownSweepLists`, or here if the factor streams.
  const std::vector<kernels::ListedItem>& items() const { return items_; }
  const std::vector<UpwardGroup>& upward_groups() const { return upward_groups_; }
  const std::vector<ItemGroup>& closing() const { return closing_; }
  const std::vector<ClosingPart>& closing_parts() const { return closing_parts_; }
  const std::vector<std::int32_t>& lists() const { return lists_; }
  const std::byte* weights() const { return weights_.data(); }
  std::int64_t entries() const { return entries_; }
  /// Weights after those of entries, if the factor streams.
  const std::vector<CarriedWeights>& carried() const { return carried_runs_; }
  /// [rows] the source's column; −1: no source.
  const std::vector<std::int32_t>& columns() const { return columns_; }
  /// [n] 1: a position whose row is closed here.
  const std::vector<std::uint8_t>& begun() const { return begun_; }

 private:
  void find_rows(std::span<const Vertex> sources);
  void count_entries();
  void fill_entries();
  void fill_weights(SupernodeId s);
  void make_items();
  void gather_items(std::span<const SupernodeId> level);
  void scatter_items(std::span<const SupernodeId> level);
  void close_by_parts(SupernodeId s);
  void find_reached();
  void place_weights();
  /// Returns the offset from weights of s in `DownSweepLists` to those in items.
  std::int64_t shift_of(SupernodeId s) const;
  std::int64_t list_of_rows() const { return above_ + entries_; }
  UpwardRows rows_of(SupernodeId s) const;
  std::int32_t row_of(Position p) const;

  const Factor& factor_;
  const Tree& tree_;
  const DownSweepLists& down_;
  std::int64_t part_values_;
  std::vector<SupernodeId> upward_supernodes_;
  std::vector<std::int32_t> first_row_;         // [supernodes] −1: not swept upward
  std::vector<std::int32_t> level_;             // [supernodes] of those that are swept upward
  std::vector<std::int32_t>
      // [supernodes] offsets in `lists_`, of those that sweep upward separately
      above_begin_;
  std::vector<std::int64_t> begin_;   // [rows + 1] entries of each row
  std::vector<std::int64_t> filled_;
  // Rows above, entries, 0 … rows − 1, reached rows.
  std::vector<std::int32_t> lists_;
  std::vector<std::uint8_t> reached_;        // [rows]
  std::vector<std::int32_t> reached_begin_;  // [supernodes] reached rows before
  std::vector<std::int32_t> reached_count_;
  std::vector<std::int32_t> columns_;
  std::vector<std::uint8_t> begun_;
  std::vector<kernels::ListedItem> items_;
  std::vector<ItemGroup> groups_;
  std::vector<std::int32_t> next_round_;  // [rows] of a level, in which a row may be written
  std::vector<UpwardGroup> upward_groups_;
  std::vector<ItemGroup> closing_;
  std::vector<ClosingPart> closing_parts_;
  base::AlignedMemory weights_;
  std::int64_t above_ = 0;
  std::int64_t entries_ = 0;
  // [supernodes] offsets of carried weights, if the factor streams
  std::vector<std::int64_t> carried_;
  std::vector<CarriedWeights> carried_runs_;
};

}  // namespace apsp::elimination
