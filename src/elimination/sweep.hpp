// Distances from a block of sources over a factor: up from the sources to the roots, then down over
// all vertices (Delling 2011, with supernodes).
//
// Values of one vertex are contiguous, one a source, so that a relaxation is one vector
// operation for many sources. The sweep down keeps only the rows of the path from the root, which
// stay in the cache, and passes on each supernode's rows as it leaves them.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/factor.hpp"
#include "kernels/contract.hpp"
#include "kernels/cpu/row_products.hpp"

namespace apsp::elimination {

/// The distances to positions [first, first + values.rows) from all sources: [rows, lanes], a
/// column a source. Read until the call returns.
using TakeDistances = std::function<void(Position first, kernels::ConstView values)>;

class Sweep {
 public:
  /// For up to `lanes` sources, a multiple of `lanes_of`. `ways`: the supernodes that are swept,
  /// falling, with all their ancestors; empty: all. Both outlive the sweep.
  Sweep(const Factor& factor, kernels::Sign sign, std::int64_t lanes,
        std::span<const SupernodeId> ways = {});

  /// Lanes for so many sources: whole vectors.
  static std::int64_t lanes_of(std::int64_t sources, ValueType type);
  /// Memory of a sweep, bytes. `neighbours`: sources are neighbours in the order, and share their
  /// ways to the roots; others may each have one of their own.
  static std::int64_t bytes(const Tree& tree, ValueType type, std::int64_t lanes, bool neighbours);

  /// Calls `take` for runs of positions, later ones first, down to `lowest`. Column i of the values
  /// holds the distances from sources[i]; further columns hold anything.
  void run(std::span<const Vertex> sources, const TakeDistances& take, Position lowest = 0);
  /// The same where only distances up to `limit` are wanted: subtrees that none of them leads into
  /// are left out. Longer ones may come. Min-plus over weights ≥ 0. It costs least for sources that
  /// are neighbours in the order.
  void run_within(std::span<const Vertex> sources, double limit, const TakeDistances& take);
  /// The same for sources that lie anywhere: rows [entries, lanes] hold the distances from them to
  /// distinct positions, by which every way into the graph leads.
  void run_from(std::span<const Position> entries, kernels::ConstView rows,
                const TakeDistances& take);

 private:
  void begin_at(std::span<const Vertex> sources);
  void sweep_up();
  void find_path(std::span<const Position> entries);
  void* path_row(Position p);
  void close_rows(SupernodeId s, kernels::View rows);
  void descend(const TakeDistances& take, Position lowest);
  void descend_within(double limit, const TakeDistances& take);
  void descend_to(SupernodeId s, const TakeDistances& take, Position lowest);
  kernels::View rows_above(SupernodeId s);
  std::int64_t row_bytes() const { return lanes_ * size_of(factor_.type()); }
  /// Rows of "no path".
  void clear(kernels::View rows) const;

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::RowOperations operations_;
  std::span<const SupernodeId> ways_;
  std::int64_t lanes_;  // of this run
  base::AlignedMemory path_, stack_, product_, no_path_;
  std::vector<Position> entries_;
  std::vector<SupernodeId>
      upward_supernodes_;             // supernodes on the way from the sources to the roots, rising
  std::vector<std::int32_t> row_of_;  // [supernodes] the first row of each in `path_`, −1: none
  std::vector<std::int32_t> rows_;    // of the row structure in `path_`
  // Of sweeps with a limit:
  std::vector<SupernodeId> subtree_begin_;  // [supernodes] the first one of the subtree of each
  std::vector<double> least_;               // [height] by slot: the least value of each row
};

}  // namespace apsp::elimination
