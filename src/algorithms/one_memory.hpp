// The Place for one host memory and a team of threads.
//
// Each operation is a list of tile tasks that the threads share out; nobody waits at the end of
// one, only before a task whose operands are not ready. While one thread closes the next diagonal
// tile the others are in the rest of the step. Panels are packed once, for all tiles of the outer
// update, in two sets of buffers that alternate: 4 · n · tile values besides the matrix.
//
// A symmetric matrix (an undirected graph) is solved as its lower triangle of tiles: half the work.
// The panel tiles that lie above the diagonal are then the transposes of stored ones.
#pragma once

#include <apsp/progress.hpp>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/shared_phase.hpp"
#include "algorithms/tiling.hpp"
#include "base/aligned_memory.hpp"
#include "base/control.hpp"

namespace apsp {

enum class Shape { full, symmetric };

/// A second matrix that takes the intermediate vertices.
struct Witness {
  Tiling via;  // [n, n] int32, tiles as those of the distances; kNoVia on entry
  kernels::WitnessOperations operations;
};

class OneMemory {
 public:
  /// Requires: the matrix's diagonal is at least as good as the empty path; with
  /// `Shape::symmetric` the matrix is symmetric, and so it is afterwards.
  /// A `witness` takes the intermediate vertices; it is mirrored too, for a path of an undirected
  /// graph read backwards meets the same vertices.
  OneMemory(Tiling tiling, Shape shape, const kernels::TileOperations& operations,
            kernels::Cycles cycles, int threads, const Control& control,
            std::optional<Witness> witness = std::nullopt);

  /// Solves: every thread runs the driver. Throws `Error`: negative_cycle (the vertex that was
  /// met), interrupted.
  void run();

  /// Bytes that a run takes besides the matrix.
  static std::int64_t panel_bytes(const Tiling& tiling, const kernels::TileOperations& operations);

  std::int64_t tiles() const { return tiling_.tiles(); }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void close(std::int64_t k);
  void update_panels(std::int64_t k);
  void update_cross(std::int64_t k);
  void update_rest(std::int64_t k);

 private:
  struct Step {
    SharedPhase close, panels, diagonal, cross, rest;
  };

  void plan_items();
  std::int64_t close_tile(std::int64_t k);
  void multiply_left(std::int64_t k, std::int64_t tj);
  void multiply_right(std::int64_t ti, std::int64_t k);
  void update_row_panel_tile(std::int64_t k, std::int64_t tj);
  void update_column_panel_tile(std::int64_t k, std::int64_t ti);
  void update_both_panel_tiles(std::int64_t k, std::int64_t t);
  void update_tile(std::int64_t k, std::int64_t ti, std::int64_t tj);
  void update_rest_row(std::int64_t k, std::int64_t item);
  void mirror();
  std::byte* left(std::int64_t k, std::int64_t ti);
  std::byte* right(std::int64_t k, std::int64_t tj);

  Tiling tiling_;
  Shape shape_;
  kernels::TileOperations operations_;
  std::optional<Witness> witness_;
  kernels::Cycles cycles_;
  int threads_;
  const Control& control_;
  std::int64_t row_parts_;                 // tasks a tile row of the rest
  std::int64_t left_bytes_, right_bytes_;  // of one tile's packed operand
  base::AlignedMemory panels_;             // [2][left, right][tiles]
  std::unique_ptr<Step[]> steps_;          // [tiles]
  std::atomic<bool> stop_{false};
  std::atomic<std::int64_t> cycle_vertex_{-1};
  std::unique_ptr<base::ProgressTask> progress_;
};

}  // namespace apsp
