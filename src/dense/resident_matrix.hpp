// The Place of a matrix in the memory of a device.
//
// The queue `diagonal` updates and closes the next diagonal tile, `rows` and `columns` update
// panels and the next cross, and `bulk` the remainder. Events order them, so step k + 1 begins
// during the remainder of step k. Panels are packed in two alternating sets: 4 · n · tile values in
// addition to the matrix. Where the host must report progress, it stays at most two steps ahead of
// the device.
//
// A symmetric matrix is solved as its lower triangle of tiles, which halves the work. Panel tiles
// above the diagonal are transposes of stored ones.
//
// On a process grid the tiles are distributed block-cyclically (grid.hpp), and each process
// runs the same code on its own part. Packed operands travel: the closed tile to the processes of
// its row and column, and the panels to all others of each column and row (Sao 2021, §2.5 and
// Algorithm 4). A symmetric matrix needs a square grid. The other half of each panel, transposes of
// tiles of other processes, travels twice: left operands along the columns of the grid to its
// diagonal and then along the rows, right operands the other way round.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "dense/device_buffer.hpp"
#include "dense/negative_cycle.hpp"
#include "dense/tiled_matrix.hpp"
#include "dense/transport.hpp"
#include "kernels/device.hpp"

namespace apsp::dense {

/// Matrices on the device: distances, and intermediate vertices where they are tracked.
struct ResidentPlanes {
  TiledMatrix values;
  TiledMatrix via{};              // int32, no data: not tracked
  std::int64_t first_vertex = 0;  // the number of the matrix's first row
};

/// One tile of each matrix.
struct TilePlanes {
  kernels::View values, via;
};

/// f(plane of `there`, plane of `host`) for the distances, and for the intermediate vertices where
/// `host` tracks them.
template <class There, class F>
void for_each_plane(const There& there, const ResidentPlanes& host, F&& f) {
  f(there.values, host.values);
  if (host.via.matrix.data != nullptr) f(there.via, host.via);
}

/// How the first and the last two steps overlap with copies. The first step works on strips of tile
/// rows as they arrive. The remainder of the last step but one is postponed and done with that of
/// the last, strip by strip: each strip leaves during the work on the next ones.
struct Overlap {
  /// The number of strips. More of them hide more, fewer keep launches large.
  static constexpr std::int64_t kStrips = 16;

  kernels::EventId first_row = -1;         // the first row of tiles arrived; −1: before the solve
  kernels::EventId first_column = -1;      // the same of the first column
  std::int64_t strip = 0;                  // tile rows of a strip
  std::vector<kernels::EventId> strips{};  // each strip arrived; empty: all with the first row
  /// Called with rows that are final once the event is reached. Rows of a symmetric matrix come
  /// from the last to the first. It is not called for symmetric matrices on a grid.
  std::function<void(TileSpan rows, kernels::EventId ready)> leave{};
};

// Early ends of a solve. `transport`: null for one device; else all members call the same function.

inline std::int64_t least_of_all(Transport* transport, std::int64_t mine) {
  return transport == nullptr ? mine : transport->least(mine);
}

/// Throws `Error` (interrupted) on all members if one of them was asked to end.
inline void throw_if_interrupted(Transport* transport, const Control& control) {
  if (least_of_all(transport, base::cancelled(control) ? 0 : 1) == 0) {
    throw Error(ErrorKind::interrupted, "interrupted");
  }
}

/// Throws `Error` (negative_cycle) on all members if one met a cycle, and names the vertex with the
/// least number. `pivot`: the vertex that this member met; −1: none.
inline void throw_agreed_cycle(Transport* transport, std::int64_t pivot) {
  constexpr std::int64_t kNone = INT64_MAX;
  const std::int64_t least = least_of_all(transport, pivot < 0 ? kNone : pivot);
  throw_negative_cycle(least == kNone ? -1 : least);
}

class ResidentMatrix {
 public:
  /// Prepares solves of matrices of at most `largest.n()` with the tiles of `largest`. If `control`
  /// is null, the host queues all work without waiting; else, and on a grid, `solve` returns at its
  /// end. `part`: this process's part of a grid; `largest` is then the matrix that it holds.
  /// Requires: tile sides are multiples of the granule. A symmetric matrix on a grid needs a square
  /// grid and tracks no intermediate vertices; its tiles above the diagonal are unspecified.
  ResidentMatrix(kernels::ComputeDevice& device, const TiledMatrix& largest, Shape shape,
                 kernels::Cycles cycles, const Control* control, const GridPart& part = {});
  ~ResidentMatrix();

  /// Queues a whole solve and returns an event that is reached at its end. `take_pivot` of the
  /// device reports negative cycles. The solve ends early if `control` of any process asks for it
  /// or any met a cycle. `first`: the steps before were done. On a grid the solve also ends between
  /// two steps where a checkpoint is due (GridPart): `reached()` is then the first step not yet
  /// done.
  kernels::EventId solve(const ResidentPlanes& planes, Overlap overlap = {},
                         Tile first = kFirstTile);
  Tile reached() const { return reached_; }
  /// Returns whether the last solve ended for a checkpoint.
  bool was_cut() const { return cut_ && reached_ < end(); }

  /// Returns bytes of device memory in addition to `held`, which is the matrix of `n` vertices or a
  /// process's part of it. `transposed`: it is symmetric and on a grid.
  static std::int64_t device_bytes(const kernels::DeviceSizes& device, const TiledMatrix& held,
                                   std::int64_t n, bool transposed = false);

  std::int64_t tiles() const { return (n() + matrix().tile - 1) / matrix().tile; }
  bool stopped();
  void close(Tile k);
  void update_panels(Tile k);
  void update_cross(Tile k);
  void update_rest(Tile k);

 private:
  struct Kept {
    TileSpan rows{};
    TileSpan columns{};
  };

  const TiledMatrix& matrix() const { return planes_.values; }
  bool on_grid() const { return part_.transport != nullptr; }
  std::int64_t n() const { return on_grid() ? part_.n : matrix().n(); }
  Tile end() const { return Tile(tiles()); }
  TileSpan all() const { return {kFirstTile, end()}; }
  std::int64_t extent(Tile t) const {
    return std::min(matrix().tile, n() - t.number() * matrix().tile);
  }
  /// The first local row or column of tile `t` or a later one, in values.
  LocalIndex row(Tile t) const;
  LocalIndex column(Tile t) const;
  kernels::View held(const TiledMatrix& plane, TileSpan rows, TileSpan columns) const;
  kernels::View values(TileSpan rows, TileSpan columns) const {
    return held(planes_.values, rows, columns);
  }
  kernels::View via(TileSpan rows, TileSpan columns) const {
    return held(planes_.via, rows, columns);
  }
  std::int64_t vertex(Tile k) const;
  void wait(kernels::QueueId queue, kernels::EventId event) { wait_for(device_, queue, event); }
  void wait_for_previous_rest(kernels::QueueId queue, Tile k);
  void wait_for_panels(kernels::QueueId queue) {
    device_.wait(queue, row_ready_);
    device_.wait(queue, column_ready_);
  }
  void await(kernels::EventId event) {
    on_grid() ? part_.transport->await(event) : device_.await(event);
  }
  /// Waits until nothing is sent from panels that step k will write, or from any panel.
  void settle_panels(Tile k);
  void settle_all();
  void share_closed(Tile k);
  void share_panels(Tile k);
  void share_triangle(Tile k);
  bool on_diagonal() const { return part_.rows.rank == part_.columns.rank; }
  /// Buffers of the transposed row panel, packed as left operands, and of the transposed column
  /// panel. On the diagonal of the grid they are this process's own panels.
  std::byte* transposed_left(Tile k);
  std::byte* transposed_right(Tile k);
  /// Updates the row panel in these columns, or the column panel in these rows. It is packed twice:
  /// before, for its own update, and afterwards, for the remainder.
  void update_panel(Tile k, bool is_row, TileSpan rows, TileSpan columns);
  void update(kernels::QueueId queue, Tile k, TileSpan rows, TileSpan columns, Kept kept,
              bool triangle = false);
  void update_rest_rows(Tile k, TileSpan rows);
  bool leaves() const { return static_cast<bool>(overlap_.leave); }
  void mirror(TileSpan rows);
  bool last_step_follows() const;
  void finish_and_leave(Tile k);
  kernels::EventId& rest_done(Tile k) { return rest_done_[k.number() % 3]; }
  void keep_pace(Tile k);
  void advance(Tile k);
  std::byte* left(Tile k, Tile ti);
  std::byte* right(Tile k, Tile tj);

  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  Shape shape_;
  kernels::Cycles cycles_;
  GridPart part_;
  bool whole_ = false;  // the matrix is one tile
  bool stopped_ = false, cut_ = false;
  bool postponed_ = false;  // the remainder of the last step but one is done with the last
  Tile first_ = kFirstTile, reached_ = kFirstTile;  // of this solve
  const Control* control_;
  kernels::QueueId diagonal_, rows_, columns_, bulk_;
  DeviceBuffer left_[2], right_[2];          // packed panels
  DeviceBuffer closed_left_, closed_right_;  // the diagonal tile, packed
  std::vector<const std::byte*> sent_[2];    // addresses sent from, in panels of steps k mod 2
  DeviceBuffer transposed_left_,
      transposed_right_;  // on a grid: panels on their way to the diagonal
  DeviceBuffer scratch_;
  ResidentPlanes planes_;
  Overlap overlap_;
  kernels::EventId closed_ = -1, row_ready_ = -1, column_ready_ = -1, finished_ = -1;
  kernels::EventId rest_done_[3] = {-1, -1, -1};  // of steps k mod 3
  std::unique_ptr<base::ProgressTask> progress_;
};

}  // namespace apsp::dense
