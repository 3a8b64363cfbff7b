// The Place of a host matrix that is larger than the device's memory (Sao 2021, §4.3–4.5; Katz
// 2008, §4.4; Xia 2021, §III-A).
//
// The matrix is in pinned host memory. In step k the device holds the packed panels (2 n b values),
// the first rows, which stay during the whole solve, and a ring of buffers through which the other
// rows pass. n³ relaxations; (n² − resident) · n / b values each way. offload_plan.hpp plans
// widths, resident rows and buffers. Work and copies both ways overlap:
//
// - Row and column k + 1 pass once for two operations: the update of step k, and their own as
//   panels of step k + 1. They come after the remainder of step k, so each packed tile replaces the
//   one it was updated with. One set of panels is enough.
// - Only the diagonal tile is updated and closed earlier, during the remainder of the step.
// - Work on passing rows has priority. Work on resident rows fills the gaps.
//
// A symmetric matrix is solved as its lower triangle, with half the work and traffic. Rows pass up
// to the diagonal. The panels' other halves are packed from transposes, and the resident part is
// the square of the first rows and columns. Small squares on the diagonal are kept whole. During
// the last step tiles leave a second time, transposed, to their places above the diagonal. They
// pass as squares then, so that no copy has short rows.
//
// Reachability values are words of 32 vertices. Ranges, widths and tiles count vertices, and a word
// is never cut.
//
// Several devices of one process pass the same matrix, each with a thread and no resident rows.
// Strips of the remainder have fixed owners. Pieces of the panels are shared out in every step and
// go, packed, from device to device (`SharedPanels`); diagonal tiles take turns. A device reads
// from the host what others copied out with panels k at the latest, and waits for that.
#pragma once

#include <apsp/progress.hpp>
#include <array>

#include "dense/offload_plan.hpp"
#include "dense/peer_transport.hpp"
#include "dense/resident_matrix.hpp"
#include "dense/tile_stream.hpp"

namespace apsp::dense {

class StreamedMemory {
 public:
  /// `plan`: of `plan_offload` for the same problem. The tile of `host` closes diagonal tiles.
  /// `via`: a host matrix of int32 for the intermediate vertices, kNoVia on entry; no data: not
  /// tracked. `share`: one of several devices, each with an object and a thread of its own; `host`
  /// is pinned then, and no rows stay. Throws `Error` (does_not_fit) if the device cannot hold the
  /// plan.
  StreamedMemory(kernels::ComputeDevice& device, const OffloadPlan& plan, const TiledMatrix& host,
                 kernels::Cycles cycles, const Control& control, const TiledMatrix& via = {},
                 const StreamedShare& share = {});
  ~StreamedMemory();

  /// Solves. Throws `Error`: negative_cycle, interrupted (the matrix is then unspecified), device.
  void run();

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
  /// Columns that are computed of these rows.
  Range reach(Range rows) const { return {0, symmetric() ? rows.end : steps_.n()}; }
  Range staying_rows() const { return {0, plan_.resident_rows}; }
  Range staying_columns() const { return reach(staying_rows()); }
  /// Copies the lower half of a square on the diagonal of a symmetric matrix to its upper half.
  void mirror(kernels::QueueId queue, Planes square);
  bool resident(Tile k) const { return steps_.row(k) < plan_.resident_rows; }
  Planes on_device(Range rows, Range columns) const;
  Planes diagonal(Tile k) const;
  kernels::View host_diagonal(Tile k, const TiledMatrix& plane) const {
    return plane.block(tile_range(k, 1), tile_range(k, 1));
  }
  std::byte* left(Tile k, std::int64_t row) {
    return left_.data() + tiles_.left_bytes(row, steps_.extent(k));
  }
  std::byte* right(Tile k, std::int64_t column) {
    return right_.data() + tiles_.right_bytes(steps_.values_of(column), steps_.extent(k));
  }
  void wait(kernels::QueueId queue, kernels::EventId event) { wait_for(device_, queue, event); }
  bool closes(Tile k) const { return shared_.mine(k.number()); }
  /// Shares a piece of panel k: right operands or left ones, of a symmetric matrix both.
  void share(Tile k, const SharedPanels::PanelShare& piece, bool right);
  kernels::EventId copies_out();
  void follow_copies();
  kernels::EventId panels_here();  // reached when all pieces of the panels are on this device
  void copy_residents(bool in);
  void bring_diagonal(Tile k);
  void share_closed(Tile k);
  void settle_closed();
  /// Columns of a piece of a row panel, or rows of a piece of a column panel.
  std::int64_t piece_lines(bool is_row) const;
  void update_panel(Tile k, bool is_row);
  /// Updates these columns of row k, or rows of column k, by step k − 1 and as panels of step k.
  void update_piece(Tile k, bool is_row, Range lines, Planes piece);
  void update_staying(Tile k);
  /// Rows of the remainder that pass together in step k.
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
  kernels::TileKernels& tiles_ = device_.tiles();
  OffloadPlan plan_;
  std::int64_t square_;  // side of the squares on the diagonal of a symmetric matrix
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
  kernels::EventId copied_ = -1;    // this device's copies out, up to those of the last panels
  kernels::EventId followed_ = -1;  // the copies of all devices
  kernels::EventId staying_done_[3] = {-1, -1, -1};  // of steps k mod 3
  std::unique_ptr<base::ProgressTask> progress_;
  double reported_ = 0;
};

}  // namespace apsp::dense
