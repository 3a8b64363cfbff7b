// Matrices on the disk that devices compute: one that passes through a device in every step, and
// one that stays on devices while it is solved (staying_disk.cpp).
//
// The first is a Place: disk → host → device, and back (disk_parts.hpp).
// Steps, phases and generations are those of disk_memory.hpp, but the panel and the closed diagonal
// tile are in the device's memory. The thread that runs the driver gives all orders to the device.
//
// n³ relaxations; n² · n / b values each way over the disk, and to the device.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "places/disk_parts.hpp"
#include "places/disk_plan.hpp"
#include "places/peer_memory.hpp"
#include "places/resident_matrix.hpp"
#include "places/tile.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::places {

class StreamedDisk {
 public:
  /// Requires: `matrix` has a cut, its bands are the plan's, and there is no negative cycle. The
  /// diagonal is at least as good as the empty path. `plan`: of `plan_streamed_disk`, where no rows
  /// stay. `threads`: of the host, at most, for checksums. Throws `Error` (does_not_fit).
  StreamedDisk(store::DiskMatrix& matrix, const DiskPlan& plan, kernels::ComputeDevice& device,
               int threads, const Control& control);
  ~StreamedDisk();

  /// From the cut to the end. Throws `Error`: interrupted, input_output, device; cuts that are
  /// reached stay.
  void run();

  /// Seconds of the last run in which nothing was ordered, as the disk was waited for.
  double waited() const { return parts_.waited(); }

  /// The driver's operations; tiles are the steps that were left when the run began.
  std::int64_t tiles() const;
  bool stopped() const { return base::cancelled(control_); }
  void close(Tile) {}  // with the panels
  void update_panels(Tile k);
  void update_cross(Tile) {}  // with the rest
  void update_rest(Tile k);

 private:
  using EventId = kernels::EventId;
  using Range = kernels::Range;

  Range pivots(Tile k) const;
  /// Of columns that whole bands hold.
  Range bands_of(Range columns) const;
  Range columns_of(Range bands) const;
  std::byte* right(std::int64_t column, std::int64_t depth) const {
    return panel_.data() + device_.right_bytes(column, depth);
  }
  /// Where a part is on the device while it passes.
  kernels::View in_slot(const DiskPart& part, std::int64_t item) const;
  std::int64_t columns(const DiskPart& part) const;
  /// The diagonal tile.
  kernels::View diagonal(Tile k) const;
  /// Brings the diagonal tile in, or takes it out.
  void pass_diagonal(Tile k, DiskParts::Flow flow);
  void close_tile(Tile k);
  void update_row_panel(Tile k);
  void update_piece(Tile k, const DiskPart& part, kernels::View piece);
  /// Rows that are no pivots of step k, by its packed panel.
  void update_strip(Tile k, kernels::View strip);
  void advance(std::int64_t rows, std::int64_t columns, std::int64_t depth);
  void multiply(kernels::View c, const std::byte* left, const std::byte* right, std::int64_t depth,
                Range skipped_cols = {});

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::ComputeDevice& device_;
  const Control& control_;
  std::int64_t n_, first_pivot_;
  int size_;  // of a value
  kernels::QueueId in_, work_, out_;
  DiskParts parts_;
  DeviceBuffer tile_;                // the diagonal tile
  DeviceBuffer panel_, diagonal_;    // packed: right operands, and the closed tile as left ones
  DeviceBuffer left_;                // packed: a strip's part of the column panel
  std::vector<DeviceBuffer> slots_;  // parts
  ResidentMatrix closing_;           // the diagonal tile, by tiles of its own
  EventId committed_ = -1;
  std::unique_ptr<base::ProgressTask> progress_;
};

class StayingShare;

/// The disk is read once and written once: rows come block by block, and leave so. Several devices
/// hold columns of all rows each. n³ relaxations, each device those of its columns; n² values each
/// way over the disk. The only cut is the end.
class StayingDisk : public PeerTeam {
 public:
  /// Requires: `matrix` has a cut, its bands are the plan's, and there is no negative cycle. The
  /// diagonal is at least as good as the empty path. `plan`: of `plan_streamed_disk`, where rows
  /// stay. `devices`: as many as the plan has, opened just now. `threads`: of the host, at most,
  /// for checksums. Throws `Error`: does_not_fit, device (no way between two of them).
  StayingDisk(store::DiskMatrix& matrix, const DiskPlan& plan,
              const std::vector<kernels::ComputeDevice*>& devices, int threads,
              const Control& control, std::int64_t piece_bytes = std::int64_t{4} << 20);
  ~StayingDisk();

  /// From the cut to the end. Throws `Error`: interrupted, input, input_output, device.
  void run();
  /// Seconds of the last run in which the device that waited most was given nothing, as the disk
  /// was waited for.
  double waited() const;

 private:
  std::vector<std::unique_ptr<StayingShare>> shares_;
};

}  // namespace apsp::places
