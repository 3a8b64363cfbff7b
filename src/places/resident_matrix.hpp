// The Place for a matrix that lies in the memory of a device.
//
// Four queues and events between them: `diagonal` updates and closes the next diagonal tile, `rows`
// and `columns` update panels and the next cross, `bulk` the rest, so that step k + 1 begins under
// the rest of step k. An operation is a few launches, each on a strip of tiles or on the whole
// matrix without what has been done already. Panels are packed, in two sets that alternate: 4 · n ·
// tile values besides the matrix. The host only gives orders; where it must report progress it
// stays at most two steps ahead of the device.
//
// A symmetric matrix is solved as its lower triangle of tiles: half the work. The panel tiles that
// lie above the diagonal are then the transposes of stored ones.
//
// On a process grid the tiles are distributed (block_cyclic.hpp), and each process runs the same
// page on the part that it holds of every span of tiles; where that is nothing, it has nothing to
// do. Two things travel, as packed operands, which are made once and are what the others need: the
// closed tile, to the processes of its row and of its column, and the panels, from these to all
// others of each column and row (Sao 2021, §2.5 and Algorithm 4). One process is a grid of one.
//
// A symmetric matrix on a square grid: the other half of each panel, transposes of what other
// processes hold, travels twice: the left operands along the columns of the grid to its diagonal
// and from there along the rows, the right ones the other way round.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "places/negative_cycle.hpp"
#include "places/tiled_matrix.hpp"
#include "places/transport.hpp"

namespace apsp::places {

/// Matrices on the device: distances, and intermediate vertices where they are tracked.
struct ResidentPlanes {
  TiledMatrix values;
  TiledMatrix via{};              // int32, no data: not tracked
  std::int64_t first_vertex = 0;  // the number of the matrix's first row
};

/// The same of one tile.
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

/// How the first and the last two steps interleave with copies. The first step works on strips of
/// tile rows as they come. The rest of the last step but one is postponed and done with that of the
/// last, strip by strip: each strip leaves while the next ones are worked on, and with the work of
/// two steps twice as much of the copy is hidden.
struct Overlap {
  /// Strips of all rows. More of them hide more, fewer keep launches large.
  static constexpr std::int64_t kStrips = 16;

  kernels::EventId first_row = -1;         // the first row of tiles has come; −1: it was there
  kernels::EventId first_column = -1;      // the first column of tiles has come; −1: it was there
  std::int64_t strip = 0;                  // tile rows of a strip
  std::vector<kernels::EventId> strips{};  // each strip has come; empty: all with the first row
  /// Called with rows that are final once the event is reached, those of a symmetric matrix from
  /// the last to the first; not for symmetric ones on a grid.
  std::function<void(TileSpan rows, kernels::EventId ready)> leave{};
};

// How a solve of one device, or of several that agree, ends early. `transport`: null where there is
// one device; else all members call the same.

inline std::int64_t least_of_all(Transport* transport, std::int64_t mine) {
  return transport == nullptr ? mine : transport->least(mine);
}

/// Throws `Error` (interrupted) on all members if one of them was asked to end.
inline void throw_if_interrupted(Transport* transport, const Control& control) {
  if (least_of_all(transport, base::cancelled(control) ? 0 : 1) == 0) {
    throw Error(ErrorKind::interrupted, "interrupted");
  }
}

/// Throws `Error` (negative_cycle) on all members if one met a cycle. `pivot`: of the vertex that
/// this member met, −1: none; the one with the least number is named.
inline void throw_agreed_cycle(Transport* transport, std::int64_t pivot) {
  constexpr std::int64_t kNone = INT64_MAX;
  const std::int64_t least = least_of_all(transport, pivot < 0 ? kNone : pivot);
  throw_negative_cycle(least == kNone ? -1 : least);
}

class ResidentMatrix {
 public:
  /// For matrices of at most `largest.n()`, cut as `largest` is. `control` may be null: then the
  /// host gives all orders without waiting, else `solve` returns at its end. Requires: tile sides
  /// are multiples of the granule. `part`: of a matrix on a grid, with `largest` what this process
  /// holds of it; then `solve` returns at its end. A symmetric one is on a square grid, without
  /// intermediate vertices, and the tiles above the diagonal are not to be read.
  ResidentMatrix(kernels::ComputeDevice& device, const TiledMatrix& largest, Shape shape,
                 kernels::Cycles cycles, const Control* control, const GridPart& part = {});
  ~ResidentMatrix();

  /// Gives orders for a whole solve; the event is reached at its end. The device's `take_pivot`
  /// tells of negative cycles. Ends early where `control` asks for it, or on a grid that of any
  /// process, or where a cycle was met on any.
  /// `first`: the steps before have been done. On a grid it also ends between two steps where a
  /// process found a cut due (GridPart): then `reached()` is the first step that has not been done.
  kernels::EventId solve(const ResidentPlanes& planes, Overlap overlap = {},
                         Tile first = kFirstTile);
  Tile reached() const { return reached_; }
  /// Whether the last solve ended for a cut.
  bool was_cut() const { return cut_ && reached_ < end(); }

  /// Device memory besides the matrix, or besides what is held of one of `n` vertices;
  /// `transposed`: of a symmetric one on a grid.
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
  /// Vertices of the whole matrix.
  std::int64_t n() const { return on_grid() ? part_.n : matrix().n(); }
  Tile end() const { return Tile(tiles()); }
  TileSpan all() const { return {kFirstTile, end()}; }
  std::int64_t extent(Tile t) const {
    return std::min(matrix().tile, n() - t.number() * matrix().tile);
  }
  /// Where what is held from tile `t` on begins (values).
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
  /// Nothing is sent any more from what step k will write, or from any panel.
  void settle_panels(Tile k);
  void settle_all();
  void share_closed(Tile k);
  void share_panels(Tile k);
  void share_triangle(Tile k);
  bool on_diagonal() const { return part_.rows.rank == part_.columns.rank; }
  /// Where transposes of my row panel are packed as left operands, and of my column panel as right
  /// ones: on the diagonal of the grid for myself.
  std::byte* transposed_left(Tile k);
  std::byte* transposed_right(Tile k);
  /// The row panel in these columns, or the column panel in these rows: packed twice, as it is for
  /// its own update, and as it has become for the rest.
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
  Shape shape_;
  kernels::Cycles cycles_;
  GridPart part_;
  bool whole_ = false;  // the matrix is one tile, and the device has nothing else to do
  bool stopped_ = false, cut_ = false;
  bool postponed_ = false;  // the rest of the last step but one is done with the last
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

}  // namespace apsp::places
