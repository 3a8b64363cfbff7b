// The upward sweep of a block of sources, as lists for a device (kernels/listed_rows.hpp).
//
// Only the supernodes of the sources and their ancestors take part. Each of their vertices has an
// upward row, [lanes], numbered in the order of elimination. A row begins with "no path", and the
// empty path in the column of its own source. It is then relaxed over the entries of all supernodes
// below it: a vertex gathers values that the host's sweep (sweep.cpp) scatters, so no two items
// write the same row. Wide supernodes scatter, in rounds of supernodes with disjoint row
// structures. At the end the rows of each supernode are closed and written to its positions in the
// matrix of distances. Wide items leave out rows that no source reaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/listed_rows.hpp"
#include "sparse/device_down_sweep.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// The size of the upward sweep of a block, or the maxima over several blocks.
struct UpwardSize {
  std::int64_t rows = 0;     // upward rows
  std::int64_t entries = 0;  // listed rows
  std::int64_t weights = 0;  // values: of the listed rows, and carried ones
  std::int64_t above = 0;    // row structure of wide supernodes
  std::int64_t items = 0;    // upward and closing
  std::int64_t passing = 0;  // values: weights of supernodes that are closed by parts
};

/// Weights that a block carries: `values` of `DownSweepLists` from `begin` on, stored at `place` of
/// the block's weights.
struct CarriedWeights {
  std::int64_t begin = 0, place = 0, values = 0;
};

/// Items that close some rows of a wide supernode of a factor that streams. Their weights are
/// `values` of `DownSweepLists` from `begin` on.
struct ClosingPart {
  std::int64_t begin = 0, values = 0;
  std::vector<ItemGroup> groups{};
};

/// Items of one launch of the upward sweep.
struct UpwardGroup {
  ItemGroup items;
  bool alone =
      false;  ///< weights are those of `DownSweepLists`, unless it streams; else those of the block
};

class UpSweepLists {
 public:
  /// `part_values`: the most weights of a closing part of a factor that streams.
  UpSweepLists(const Factor& factor, const DownSweepLists& down, std::int64_t part_values = 0);

  /// Returns maxima over blocks of `lanes` consecutive sources. `streams`: the factor streams.
  static UpwardSize largest(const Tree& tree, std::span<const Vertex> sources, std::int64_t lanes,
                            bool streams = false);

  /// Returns the relaxations of upward sweeps and of closing of the same blocks. Thousands of
  /// blocks are sampled evenly.
  static double relaxations(const Tree& tree, std::span<const Vertex> sources, std::int64_t lanes);

  /// Makes the lists of distinct sources; source i has column i. `potentials`: [n] by position, for
  /// rows of `ListedForm::reduced`.
  void find(std::span<const Vertex> sources, std::span<const std::int32_t> potentials = {});

  std::int64_t rows() const { return std::ssize(columns_); }
  /// Items, their lists and weights. Groups from the sources up add to rows; the last ones close
  /// rows, with weights of `DownSweepLists`, or of the block if the factor streams.
  const std::vector<kernels::ListedItem>& items() const { return items_; }
  const std::vector<UpwardGroup>& upward_groups() const { return upward_groups_; }
  const std::vector<ItemGroup>& closing() const { return closing_; }
  const std::vector<ClosingPart>& closing_parts() const { return closing_parts_; }
  const std::vector<std::int32_t>& lists() const { return lists_; }
  const std::byte* weights() const { return weights_.data(); }
  std::int64_t entries() const { return entries_; }
  /// Weights after those of entries, if the factor streams.
  const std::vector<CarriedWeights>& carried() const { return carried_runs_; }
  /// [rows] the column of the source at this row; −1: none.
  const std::vector<std::int32_t>& columns() const { return columns_; }
  /// [n] 1: the row of this position is closed.
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
  /// The offset of the weights of s in the block from those in `DownSweepLists`.
  std::int64_t shift_of(SupernodeId s) const;
  std::int64_t list_of_rows() const { return above_ + entries_; }
  UpwardRows rows_of(SupernodeId s) const;
  std::int32_t row_of(Position p) const;

  const Factor& factor_;
  const Tree& tree_;
  const DownSweepLists& down_;
  std::int64_t part_values_;
  std::vector<SupernodeId> upward_supernodes_;
  std::vector<std::int32_t> first_row_;  // [supernodes] −1: not swept upward
  std::vector<std::int32_t> level_;      // [supernodes]
  std::vector<std::int32_t>
      above_begin_;                   // [supernodes] in `lists_`, of those that only sweep upward
  std::vector<std::int64_t> begin_;   // [rows + 1] of the entries of each row
  std::vector<std::int64_t> filled_;  // [rows]
  // Rows above, entries, 0, 1, 2, … for all rows, and rows that a source reaches.
  std::vector<std::int32_t> lists_;
  std::vector<std::uint8_t> reached_;        // [rows]
  std::vector<std::int32_t> reached_begin_;  // [supernodes] the first of its reached rows
  std::vector<std::int32_t> reached_count_;  // [supernodes]
  std::vector<std::int32_t> columns_;
  std::vector<std::uint8_t> begun_;
  std::vector<kernels::ListedItem> items_;
  std::vector<ItemGroup> groups_;         // scratch
  std::vector<std::int32_t> next_round_;  // [rows] the round of a level in which it may be written
  std::vector<UpwardGroup> upward_groups_;
  std::vector<ItemGroup> closing_;
  std::vector<ClosingPart> closing_parts_;
  system::AlignedMemory weights_;
  std::span<const std::int32_t> potentials_;  // of this block
  std::int64_t above_ = 0;
  std::int64_t entries_ = 0;
  std::vector<std::int64_t> carried_;  // [supernodes] the first carried weight, if it streams
  std::vector<CarriedWeights> carried_runs_;
};

}  // namespace apsp::sparse
