// The sweep upward of a block of sources to the roots of the tree, as lists that a device takes
// (kernels/listed_rows.hpp).
//
// Only the supernodes of the sources and their ancestors take part. Each of their vertices has a
// upward row, [lanes], numbered in the order of elimination. A row begins with "no path", and the
// empty path in the column of its own source. Then it is relaxed over the entries of all supernodes
// below it at once: a vertex gathers what the host's sweep upward (sweep.cpp) scatters, so that no
// two items write the same row. Wide supernodes scatter nevertheless, in rounds: the supernodes of
// a round have no upper vertex in common. At the end the rows of each supernode are closed and
// written to its positions in the matrix of distances. Wide items leave out rows that no source
// reaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/device_down_sweep.hpp"
#include "elimination/factor.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::elimination {

/// How much the upward sweep of a block takes, or at most of any of several blocks.
struct UpwardSize {
  std::int64_t rows = 0;     // upward rows
  std::int64_t entries = 0;  // listed rows
  std::int64_t weights = 0;  // values: of the listed rows, and those that a block takes with it
  std::int64_t above = 0;    // row structure of wide supernodes
  std::int64_t items = 0;    // of the upward sweep and of closing
  std::int64_t passing = 0;  // values: weights of supernodes that are closed by parts
};

/// Weights that a block takes with it: `values` of those of `DownSweepLists`, from `begin` on, to
/// `place` among the block's.
struct CarriedWeights {
  std::int64_t begin = 0, place = 0, values = 0;
};

/// Items that close some rows of a wide supernode, where the factor streams. Their weights are
/// `values` of those of `DownSweepLists`, and count from `begin`.
struct ClosingPart {
  std::int64_t begin = 0, values = 0;
  std::vector<ItemGroup> groups{};
};

/// Items that one launch takes on the way up.
struct UpwardGroup {
  ItemGroup items;
  bool alone =
      false;  ///< with weights of `DownSweepLists`, unless it streams; else with those of here
};

class UpSweepLists {
 public:
  /// `part_values`: weights of a closing part, at most, where the factor streams.
  UpSweepLists(const Factor& factor, const DownSweepLists& down, std::int64_t part_values = 0);

  /// Of blocks of `lanes` of the sources that are neighbours.
  /// `streams`: their factor does.
  static UpwardSize largest(const Tree& tree, std::span<const Vertex> sources, std::int64_t lanes,
                            bool streams = false);

  /// Relaxations of the way up and of closing, of the same blocks together. Of thousands of blocks
  /// some are looked at, evenly spaced.
  static double relaxations(const Tree& tree, std::span<const Vertex> sources, std::int64_t lanes);

  /// Of these sources, which are distinct: source i begins in column i.
  void find(std::span<const Vertex> sources);

  std::int64_t rows() const { return std::ssize(columns_); }
  /// Items and what they list and weigh; groups from the sources up, all of which add to what rows
  /// hold, then some that close rows, with weights of `DownSweepLists`, or of here where it
  /// streams.
  const std::vector<kernels::ListedItem>& items() const { return items_; }
  const std::vector<UpwardGroup>& upward_groups() const { return upward_groups_; }
  const std::vector<ItemGroup>& closing() const { return closing_; }
  const std::vector<ClosingPart>& closing_parts() const { return closing_parts_; }
  const std::vector<std::int32_t>& lists() const { return lists_; }
  const std::byte* weights() const { return weights_.data(); }
  std::int64_t entries() const { return entries_; }
  /// Behind the weights of entries, where the factor streams.
  const std::vector<CarriedWeights>& carried() const { return carried_runs_; }
  /// [rows] the column of the source that the row is of; −1: of none.
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
  /// From weights of s in `DownSweepLists` to the same in items.
  std::int64_t shift_of(SupernodeId s) const;
  std::int64_t list_of_rows() const { return above_ + entries_; }
  UpwardRows rows_of(SupernodeId s) const;
  std::int32_t row_of(Position p) const;

  const Factor& factor_;
  const Tree& tree_;
  const DownSweepLists& down_;
  std::int64_t part_values_;
  std::vector<SupernodeId> upward_supernodes_;  // rising
  std::vector<std::int32_t> first_row_;         // [supernodes] −1: not swept upward
  std::vector<std::int32_t> level_;             // [supernodes] of those that are swept upward
  std::vector<std::int32_t>
      above_begin_;                   // [supernodes] in `lists_`, of those that sweep upward alone
  std::vector<std::int64_t> begin_;   // [rows + 1] of the entries of each row
  std::vector<std::int64_t> filled_;  // [rows]
  // Rows above, entries, 0, 1, 2, … as many as rows, rows that something reaches.
  std::vector<std::int32_t> lists_;
  std::vector<std::uint8_t> reached_;        // [rows]
  std::vector<std::int32_t> reached_begin_;  // [supernodes] of those, as many as there are before
  std::vector<std::int32_t> reached_count_;  // [supernodes]
  std::vector<std::int32_t> columns_;
  std::vector<std::uint8_t> begun_;
  std::vector<kernels::ListedItem> items_;
  std::vector<ItemGroup> groups_;         // for a moment
  std::vector<std::int32_t> next_round_;  // [rows] of a level, in which a row may be written
  std::vector<UpwardGroup> upward_groups_;
  std::vector<ItemGroup> closing_;
  std::vector<ClosingPart> closing_parts_;
  base::AlignedMemory weights_;
  std::int64_t above_ = 0;  // rows above supernodes that sweep upward alone
  std::int64_t entries_ = 0;
  std::vector<std::int64_t> carried_;  // [supernodes] where those of each begin, if it streams
  std::vector<CarriedWeights> carried_runs_;
};

}  // namespace apsp::elimination
