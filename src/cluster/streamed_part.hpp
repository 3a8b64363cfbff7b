// The Place of a process's part of a matrix on a grid, where the part is larger than the memory of
// its GPU (Sao 2021, §4.3–4.5: ME-ParallelFW).
//
// The matrix is distributed in tiles as wide as a panel, and each part is in pinned host memory. In
// step k a device holds both packed panels (resident_matrix.hpp) and a ring of buffers through
// which the part passes (tile_stream.hpp). Row and column k + 1 pass once for two operations: the
// update of step k, and their own. Each piece is sent as soon as it is packed, and returns to the
// host. The diagonal tile k + 1 comes first.
//
// The ring of buffers limits the host to orders for a few pieces. So the next panels are ordered in
// the middle of the remainder, as soon as the closed tile has arrived, and travel during its second
// half. They use the other one of two sets. Tile row k + 2 passes first, so that its diagonal tile
// is on the host in time.
//
// n³ / processes relaxations for each process; n² / processes · n / b values each way over its
// link, in addition to the panels. A device holds two sets of b · (rows + columns) values and the
// buffers (process_device.hpp). Intermediate vertices are not tracked; a symmetric matrix is solved
// as a full one.
#pragma once

#include <algorithm>
#include <apsp/progress.hpp>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "dense/device_buffer.hpp"
#include "dense/offload_plan.hpp"
#include "dense/tile_stream.hpp"
#include "dense/tiled_matrix.hpp"
#include "dense/transport.hpp"

namespace apsp::cluster {

using dense::Along;
using dense::Tile;
using dense::TiledMatrix;

class StreamedPart {
 public:
  /// `held`: this process's part, in host memory that should be pinned, in tiles of the plan's
  /// width. `plan`: of `plan_streamed_part`, the same in all processes. `control` may be null.
  /// Throws `Error` (does_not_fit) if the device cannot hold the plan.
  StreamedPart(kernels::ComputeDevice& device, const dense::OffloadPlan& plan,
               const TiledMatrix& held, kernels::Cycles cycles, const Control* control,
               const dense::GridPart& part);
  ~StreamedPart();
  StreamedPart(const StreamedPart&) = delete;
  StreamedPart& operator=(const StreamedPart&) = delete;

  /// Solves from step `first` on; all processes call it. Ends as `ResidentMatrix::solve` does; the
  /// result is then in the host's memory, and all queues are empty.
  void solve(Tile first = dense::kFirstTile);
  Tile reached() const { return reached_; }
  /// Returns whether the last solve ended for a checkpoint.
  bool was_cut() const { return cut_ && reached_ < end(); }

  std::int64_t tiles() const { return (part_.n + held_.tile - 1) / held_.tile; }
  bool stopped();
  void close(Tile k);
  void update_panels(Tile k);
  void update_cross(Tile k);
  void update_rest(Tile k);

 private:
  using Range = kernels::Range;
  using View = kernels::View;
  using QueueId = kernels::QueueId;
  using EventId = kernels::EventId;
  /// The panels of a step: tile row k, packed as right operands, and tile column k, as left ones.
  enum class Panel { row, column };
  /// Pieces of them, rows or columns of the part.
  using Pieces = std::vector<Range>;

  Tile end() const { return Tile(tiles()); }
  std::int64_t extent(Tile t) const {
    return std::min(held_.tile, part_.n - t.number() * held_.tile);
  }
  std::int64_t vertex(Tile k) const { return std::min(k.number() * held_.tile, part_.n); }
  /// The first local row or column of tile `t` or a later one.
  std::int64_t row(Tile t) const { return held_.row(Tile(part_.rows.before(t))); }
  std::int64_t column(Tile t) const {
    return std::min(part_.columns.before(t) * held_.tile, columns_held());
  }
  std::int64_t columns_held() const { return part_.columns.vertices(part_.n, held_.tile); }
  Range rows(Tile first, std::int64_t tiles) const { return {row(first), row(first + tiles)}; }
  Range columns(Tile first, std::int64_t tiles) const {
    return {column(first), column(first + tiles)};
  }
  bool owns_diagonal(Tile k) const { return part_.rows.mine(k) && part_.columns.mine(k); }
  View tile(Tile k) const {
    const std::int64_t values = held_.values_of(extent(k));
    return {tile_.data(), extent(k), values, tiles_.stride(values)};
  }
  View host_tile(Tile k) const { return held_.block(rows(k, 1), columns(k, 1)); }
  std::byte* left(Tile k, std::int64_t row) {
    return left_[set(k)].data() + tiles_.left_bytes(row, extent(k));
  }
  std::byte* right(Tile k, std::int64_t column) {
    return right_[set(k)].data() + tiles_.right_bytes(held_.values_of(column), extent(k));
  }
  std::byte* packed(Tile k, Panel panel, Range piece) {
    return panel == Panel::row ? right(k, piece.begin) : left(k, piece.begin);
  }
  kernels::Update product(Tile k, Range rows, Range columns, View c);
  /// Queues the update of step k for a piece of the next panels, outside the panels of step k.
  void relax_panel_piece(Tile k, Range rows, Range columns, View values);
  std::vector<QueueId> queues() const;
  void wait(QueueId queue, EventId event) { dense::wait_for(device_, queue, event); }
  void wait_for_panels(QueueId queue) {
    wait(queue, row_ready_);
    wait(queue, column_ready_);
  }
  void bring_tile(Tile k);
  void take_out_tile(Tile k);
  void share_closed(Tile k);
  /// Waits until panels that were sent may be overwritten.
  void settle(std::size_t set);
  void settle_closed();
  Pieces row_pieces(Tile k) const;
  Pieces column_pieces(Tile k) const;
  void make_panels(Tile k);
  void share_piece(Tile k, Panel panel, Range piece);
  void update_piece(Tile k, Panel panel, Range piece);
  void relax_cross(Tile k);
  void pass_rest(Tile k, Range rows);
  void keep_pace(Tile k);
  void show_progress(Tile k);
  void finish();
  static std::size_t set(Tile k) { return static_cast<std::size_t>(k.number() % 2); }
  EventId& rest_done(Tile k) { return rest_done_[k.number() % 3]; }

  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  dense::OffloadPlan plan_;
  TiledMatrix held_;
  kernels::Cycles cycles_;
  const Control* control_;
  dense::GridPart part_;
  dense::Transport& transport_;
  QueueId diagonal_, panel_, work_[2];
  QueueId row_share_, column_share_;  // panels to and from other processes
  dense::TileStream stream_;
  dense::DeviceBuffer left_[2], right_[2];          // packed panels of steps k mod 2
  dense::DeviceBuffer closed_left_, closed_right_;  // the diagonal tile, packed
  dense::DeviceBuffer tile_, scratch_;              // the diagonal tile
  std::vector<const std::byte*> sent_[2];           // addresses in the panels of steps k mod 2
  EventId row_ready_ = -1, column_ready_ = -1;      // the panels are on the device
  EventId panels_made_ = -1;                        // this process's pieces of the last panels
  EventId tile_out_ = -1;                           // the last closed tile is on the host
  EventId next_row_out_ = -1;                       // the next diagonal tile is on the host
  EventId rest_done_[3] = {-1, -1, -1};             // steps k mod 3
  Tile made_ = dense::kFirstTile;                   // panels of earlier steps were ordered
  std::size_t turn_ = 0;                            // the next queue for work
  bool stopped_ = false, cut_ = false;
  Tile first_ = dense::kFirstTile, reached_ = dense::kFirstTile;  // this solve
  std::unique_ptr<base::ProgressTask> progress_;
};

}  // namespace apsp::cluster
