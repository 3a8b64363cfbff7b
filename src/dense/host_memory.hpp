// The Place of one host memory and a team of threads (team_place.hpp).
//
// Panels are packed once for all tiles of the remainder, in two alternating sets of buffers: 4 · n
// · tile values in addition to the matrix. The closed diagonal tile is packed too, for products
// that update the panels.
//
// A task of the remainder is a few neighbouring tiles, some microseconds of work: claims then cost
// little, and a thread that loses its core holds up little. Tasks are listed block by block, so the
// range of a thread is nearly square and needs few panels.
//
// A symmetric matrix (`Graph::symmetric`) is solved as its lower triangle of tiles, with half the
// work. Panel tiles above the diagonal are transposes of stored ones.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "dense/team_place.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/own/own_kernels.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

/// A second matrix for the intermediate vertices.
struct Witness {
  TiledMatrix via;  // [n, n] int32, with the tiles of the distances; kNoVia on entry
  kernels::WitnessOperations operations;
};

/// Bytes of a tile's packed operands.
struct OperandBytes {
  std::int64_t left, right;
};
/// Returns bytes of a whole tile's operands, in whole cache lines.
OperandBytes operand_bytes(const kernels::TileOperations& operations, std::int64_t tile);

class HostMemory : public TeamPlace {
 public:
  /// Requires: the diagonal is at least as good as the empty path; with `Shape::symmetric` the
  /// matrix is symmetric, and remains so. `witness` gets the intermediate vertices; it is mirrored
  /// too, because a reversed path of an undirected graph has the same vertices.
  HostMemory(TiledMatrix tiling, Shape shape, const kernels::TileOperations& operations,
             kernels::Cycles cycles, int threads, const Control& control,
             std::optional<Witness> witness = std::nullopt);

  /// Solves; every thread runs the driver. Throws `Error`: negative_cycle (with a vertex of it),
  /// interrupted.
  void run();

  /// Returns bytes that a run needs in addition to the matrix.
  static std::int64_t panel_bytes(const TiledMatrix& tiling,
                                  const kernels::TileOperations& operations);

 protected:
  /// For derived classes with kernels other than `TileOperations`, which override the four
  /// functions below. `operands`: bytes of a whole tile.
  HostMemory(TiledMatrix tiling, Shape shape, OperandBytes operands, int threads,
             const Control& control);

 private:
  virtual void pack_left(kernels::ConstView a, bool transposed, void* out) const {
    operations_.packed.pack_left(a, transposed, out);
  }
  virtual void pack_right(kernels::ConstView b, bool transposed, void* out) const {
    operations_.packed.pack_right(b, transposed, out);
  }
  virtual void multiply_add(kernels::View c, const void* left, const void* right,
                            std::int64_t depth) const {
    operations_.packed.multiply_add(c, left, right, depth);
  }
  virtual std::int64_t close(kernels::View d) const { return operations_.close(d, cycles_); }

  void close_tile(Tile k) override;
  void update_panel(Tile k, std::int64_t item) override;
  void update_diagonal(Tile k) override;
  void update_cross_tile(Tile k, std::int64_t item) override;
  double update_rest_item(Tile k, std::int64_t item) override;
  std::int64_t rest_item_of_cross(Tile k, std::int64_t item) const override;

  /// Tiles of one row: a task of the remainder.
  struct RestItem {
    Tile row;
    TileSpan columns;
  };
  void list_rest_items();
  void list_rest_items(std::int64_t width);
  struct TilePlace {
    Tile row, column;
  };
  TilePlace cross_tile(Tile k, std::int64_t item) const;

  /// The index of a tile in `rest_item_of_`.
  std::size_t index_of(Tile ti, Tile tj) const {
    return static_cast<std::size_t>(ti.number() * tiles() + tj.number());
  }
  void update_tile(Tile k, Tile ti, Tile tj);
  void mirror();
  std::byte* left(Tile k, Tile ti);
  std::byte* right(Tile k, Tile tj);
  std::byte* panel_set(Tile k);

  TiledMatrix tiling_;
  Shape shape_;
  kernels::TileOperations operations_{};
  std::optional<Witness> witness_;
  kernels::Cycles cycles_ = kernels::Cycles::possible;
  OperandBytes operand_;          // of one tile
  system::AlignedMemory panels_;  // [2][left, right][tiles], left, right of the diagonal
  std::vector<RestItem> rest_items_;
  std::vector<std::int32_t> rest_item_of_;  // [tiles, tiles]
  std::atomic<std::int64_t> cycle_vertex_{-1};
};

/// One host memory, a team of threads, and a semiring of one's own: the Place and the schedule of
/// the built-in semirings, with other kernels (kernels/own/own_kernels.hpp).
class OwnMemory : public HostMemory {
 public:
  OwnMemory(TiledMatrix tiling, const detail::OwnKernels& own, int threads, const Control& control)
      : HostMemory(tiling, Shape::full,
                   {kernels::own::left_bytes(own, tiling.tile, tiling.tile),
                    kernels::own::right_bytes(own, tiling.tile, tiling.tile)},
                   threads, control),
        own_(own) {}

 private:
  void pack_left(kernels::ConstView a, bool, void* out) const override {
    kernels::own::pack_left(own_, a, out);
  }
  void pack_right(kernels::ConstView b, bool, void* out) const override {
    kernels::own::pack_right(own_, b, out);
  }
  void multiply_add(kernels::View c, const void* left, const void* right,
                    std::int64_t depth) const override {
    kernels::own::multiply_add(own_, c, left, right, depth);
  }
  std::int64_t close(kernels::View d) const override { return kernels::own::close(own_, d); }

  const detail::OwnKernels& own_;
};

}  // namespace apsp::dense
