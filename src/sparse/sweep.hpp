// Distances from a block of sources over a factor: upward from the sources to the roots, then
// downward over all vertices (Delling 2011, with supernodes).
//
// Values of one vertex are contiguous, one for each source, so that one vector operation relaxes
// many sources. The downward sweep keeps only the rows of the path from the root, which stay in the
// cache, and emits the rows of a supernode when it leaves it.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/contract.hpp"
#include "kernels/cpu/row_products.hpp"
#include "sparse/factor.hpp"
#include "sparse/tree_share.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// Receives the distances to positions [first, first + values.rows) from all sources: [rows,
/// lanes], a column for each source. They are valid during the call.
using TakeDistances = std::function<void(Position first, kernels::ConstView values)>;

class Sweep {
 public:
  /// Sweeps from up to `lanes` sources, a multiple of `lanes_of`. `ways`: the supernodes to sweep,
  /// descending, with all their ancestors; empty: all. Factor and ways must outlive the sweep.
  Sweep(const Factor& factor, kernels::Sign sign, std::int64_t lanes,
        std::span<const SupernodeId> ways = {});

  /// Returns `sources` rounded up to whole vectors.
  static std::int64_t lanes_of(std::int64_t sources, ValueType type);
  /// Bytes of a sweep. `neighbours`: sources are adjacent in the order and share their paths to the
  /// roots; otherwise each may have a path of its own.
  static std::int64_t bytes(const Tree& tree, ValueType type, std::int64_t lanes, bool neighbours);

  /// Calls `take` for runs of positions, descending, down to `lowest`. Column i of the values holds
  /// the distances from sources[i]; further columns are unspecified.
  void run(std::span<const Vertex> sources, const TakeDistances& take, Position lowest = 0);
  /// The same for distances up to `limit`: subtrees that no such distance leads into are skipped.
  /// Longer distances may be emitted. Requires: min-plus, weights ≥ 0. Cheapest for sources that
  /// are adjacent in the order.
  void run_within(std::span<const Vertex> sources, double limit, const TakeDistances& take);
  /// The same for sources anywhere: `rows` [entries, lanes] holds their distances to
  /// distinct positions through which every path enters.
  void run_from(std::span<const Position> entries, kernels::ConstView rows,
                const TakeDistances& take);
  /// Sweeps down from a share's top: `rows` [top_vertices, lanes] holds the distances from sources
  /// outside of the share to the top. `take` receives only the distances to the vertices below,
  /// down to `lowest`. Rows of lower vertices of the top are not read.
  void run_below(const TreeShare& share, kernels::ConstView rows, const TakeDistances& take,
                 Position lowest);

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
  /// Rows ← no path.
  void clear(kernels::View rows) const;

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::RowOperations operations_;
  std::span<const SupernodeId> ways_;
  std::int64_t lanes_;
  system::AlignedMemory path_, stack_, product_, no_path_;
  std::vector<Position> entries_;
  std::vector<SupernodeId>
      // supernodes on the paths from the sources to the roots, ascending
      upward_supernodes_;
  std::vector<std::int32_t> row_of_;  // [supernodes] the first row in `path_`; −1: none
  std::vector<std::int32_t> rows_;
  // [supernodes] the first of the subtree, for sweeps with a limit
  std::vector<SupernodeId> subtree_begin_;
  std::vector<double> least_;  // [height] by slot: the least value of each row
};

}  // namespace apsp::sparse
