// The Place for a matrix of the host that is larger than the device's memory (Sao 2021, §4.3–4.5;
// Katz 2008, §4.4; Xia 2021, §III-A).
//
// The matrix stays in pinned host memory. In step k the device holds the panels, packed, 2 n b
// values; some first rows, which stay from beginning to end; and a ring of buffers through which
// the other rows pass. Three things keep work and copies both ways busy at once:
//
// - Row and column k + 1 pass once for two operations: what step k owes them and their own update
//   as panels of step k + 1. They come after the rest of step k, so that each packed tile can take
//   the place of the one it was updated with: one set of panels is enough, and all the memory that
//   a second one would take lets panels be wider or more rows stay.
// - Only the diagonal tile runs ahead, since nothing else could hide its closing: it is brought,
//   updated and closed under the rest of the step.
// - Work on rows that pass has priority; work on rows that stay fills the gaps.
//
// How wide panels are, what stays and what the buffers hold is planned: offload_plan.hpp. n³
// relaxations; (n² − resident) · n / b values each way.
//
// A symmetric matrix is solved as its lower triangle: rows pass as far as the diagonal, the panels'
// other halves are packed from the transposes of those that pass, and what stays is the square of
// the first rows and columns. Squares of a few rows on the diagonal are kept whole; a diagonal tile
// is mirrored before it is closed. Under the last step what passes leaves a second time,
// transposed, to where it belongs above the diagonal; it passes as squares then, so that no copy
// has short rows. Half the work, half the traffic.
//
// Of reachability values are words of 32 vertices: ranges, widths and tiles count vertices, and a
// word is never cut.
//
// Several devices of one process pass the same matrix, each with a thread, and no rows stay. Strips
// of the rest are distributed for good; pieces of the panels again in every step, since each goes
// to all, packed, from device to device (`SharedPanels`); diagonal tiles in turn. What a device
// brings for panels k + 1 and for the rest behind them, the others have copied out with panels k at
// the latest: it waits for that, a whole rest later.
#pragma once

#include <apsp/progress.hpp>
#include <array>

#include "places/offload_plan.hpp"
#include "places/peer_transport.hpp"
#include "places/resident_matrix.hpp"
#include "places/tile_stream.hpp"

namespace apsp::places {

class StreamedMemory {
 public:
  /// `host`'s tile is the one for closing diagonal tiles; `plan` is of `plan_offload` for the same
  /// problem. `via`: a host matrix of int32 that takes the intermediate vertices, kNoVia on entry;
  /// none if it has no data. `share`: of several devices, of which each has one of these and a
  /// thread that runs it; `host` is pinned then, and no rows stay. Throws `Error` (does_not_fit) if
  /// the device cannot hold the plan.
  StreamedMemory(kernels::ComputeDevice& device, const OffloadPlan& plan, const TiledMatrix& host,
                 kernels::Cycles cycles, const Control& control, const TiledMatrix& via = {},
                 const StreamedShare& share = {});
  ~StreamedMemory();

  /// Throws `Error`: negative_cycle, interrupted (the host's matrix is then unspecified), device.
  void run();
  /// The same where the steps before `first`, of the plan's width, have been done.
  void run_from(Tile first);

  std::int64_t tiles() const { return steps_.tiles(); }
  bool stopped();
  void close(Tile k);
  void update_panels(Tile k);
  void update_cross(Tile k);
  void update_rest(Tile k);

 private:
  using Range = kernels::Range;
  using Planes = TilePlanes;

  Range tile_range(Tile first, std::int64_t count) const {
    return {steps_.row(first), steps_.row(first + count)};
  }
  std::array<Range, 2> outside(Range inner) const {
    return {Range{0, inner.begin}, Range{inner.end, steps_.n()}};
  }
  bool symmetric() const { return plan_.shape == Shape::symmetric; }
  /// Columns of these rows that are worked on.
  Range reach(Range rows) const { return {0, symmetric() ? rows.end : steps_.n()}; }
  /// Rows and columns that stay.
  Range staying_rows() const { return {0, plan_.resident_rows}; }
  Range staying_columns() const { return reach(staying_rows()); }
  /// In a symmetric matrix: makes both halves of a square on the diagonal, from the lower one.
  void mirror(kernels::QueueId queue, Planes square);
  bool resident(Tile k) const { return steps_.row(k) < plan_.resident_rows; }
  Planes on_device(Range rows, Range columns) const;
  Planes diagonal(Tile k) const;
  /// The diagonal tile of step k in a plane of the host.
  kernels::View host_diagonal(Tile k, const TiledMatrix& plane) const {
    return plane.block(tile_range(k, 1), tile_range(k, 1));
  }
  std::byte* left(Tile k, std::int64_t row) {
    return left_.data() + device_.left_bytes(row, steps_.extent(k));
  }
  std::byte* right(Tile k, std::int64_t column) {
    return right_.data() + device_.right_bytes(steps_.values_of(column), steps_.extent(k));
  }
  void wait(kernels::QueueId queue, kernels::EventId event) { wait_for(device_, queue, event); }
  bool closes(Tile k) const { return shared_.mine(k.number()); }
  /// Panel k in the lines of a piece, right operands or left ones; of a symmetric matrix both.
  void share(Tile k, const SharedPanels::PanelShare& piece, bool right);
  kernels::EventId copies_out();
  void follow_copies();
  kernels::EventId panels_here();  // gives all pieces their way; reached when they are here
  void copy_residents(bool in);
  void bring_diagonal(Tile k);
  void share_closed(Tile k);
  void settle_closed();
  /// Columns of a piece of a row panel, or rows of one of a column panel.
  std::int64_t piece_lines(bool is_row) const;
  void update_panel(Tile k, bool is_row);
  /// What the step before owes to these columns of row k, or rows of column k, and their own
  /// update.
  void update_piece(Tile k, bool is_row, Range lines, Planes piece);
  void update_staying(Tile k);
  /// Rows of the rest that pass together in step k.
  std::int64_t strip_rows(Tile k) const;
  bool transposes(Tile k) const { return symmetric() && k + 1 == Tile(tiles()); }
  void update_strip(Tile k, Range strip, kernels::QueueId queue);
  void update_transposed_strip(Tile k, Range strip, std::int64_t& square);
  kernels::Update product(Tile k, Range rows, Range columns, Planes c);
  std::int64_t whole(std::int64_t lines) const;  // rounded down to tiles, or to granules
  void report(double reached);
  std::array<kernels::QueueId, 6> queues() const {
    return {diagonal_, passing_[0], passing_[1], staying_, stream_.in(), stream_.out()};
  }
  double work_before(Tile k) const;  // relaxations
  double work() const { return work_before(Tile(tiles())); }
  void finish();
  kernels::EventId& staying_done(Tile k) { return staying_done_[k.number() % 3]; }

  kernels::ComputeDevice& device_;
  OffloadPlan plan_;
  std::int64_t square_;  // of a symmetric matrix: sides of squares on the diagonal kept whole
  TiledMatrix steps_;    // the host's matrix in tiles of the panels' width
  ResidentPlanes host_;
  const Control& control_;
  kernels::QueueId diagonal_, passing_[2], staying_;
  DeviceBuffer left_, right_;                // packed panels
  DeviceBuffer closed_left_, closed_right_;  // the diagonal tile, packed
  DeviceBuffer tile_values_, tile_via_;      // the diagonal tile where rows pass
  DeviceBuffer resident_values_, resident_via_;
  PinnedMemory pinned_values_, pinned_via_;
  SharedPanels shared_;
  TileStream stream_;
  ResidentMatrix closing_;  // the diagonal tile, by tiles of its own
  kernels::EventId residents_there_ = -1, closed_ = -1, diagonal_out_ = -1, panels_ready_ = -1;
  kernels::EventId copied_ = -1;    // my copies out, up to those of the last panels
  kernels::EventId followed_ = -1;  // those of all devices
  kernels::EventId staying_done_[3] = {-1, -1, -1};  // of steps k mod 3
  std::unique_ptr<base::ProgressTask> progress_;
  double reported_ = 0;
  Tile first_ = kFirstTile;  // of this run
};

}  // namespace apsp::places
