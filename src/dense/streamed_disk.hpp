// The Place of a matrix on the disk that passes through a device in every step: disk → host →
// device, and back (disk_parts.hpp).
//
// Steps, phases and generations are those of disk_memory.hpp, but the panel and the closed diagonal
// tile are in the device's memory. The thread that runs the driver gives all orders to the device.
// n³ relaxations; n² · n / b values each way over the disk, and to the device.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "dense/device_buffer.hpp"
#include "dense/disk_parts.hpp"
#include "dense/disk_plan.hpp"
#include "dense/resident_matrix.hpp"
#include "dense/tile.hpp"
#include "kernels/device.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::dense {

class StreamedDisk {
 public:
  /// `plan`: of `plan_streamed_disk`, where no rows stay. `threads`: the most threads of the host
  /// for checksums. Requires: `matrix` has a checkpoint, its bands are the plan's, there is no
  /// negative cycle, and the diagonal is at least as good as the empty path. Throws `Error`
  /// (does_not_fit).
  StreamedDisk(store::DiskMatrix& matrix, const DiskPlan& plan, kernels::ComputeDevice& device,
               int threads, const Control& control);
  ~StreamedDisk();

  /// Solves from the checkpoint to the end. Throws `Error`: interrupted, input_output, device; the
  /// last checkpoint stays.
  void run();

  /// Returns the seconds of the last run in which the device waited for the disk.
  double waited() const { return parts_.waited(); }

  /// The driver's operations; tiles are the steps that were left when the run began.
  std::int64_t tiles() const;
  bool stopped() const { return base::cancelled(control_); }
  void close(Tile) {}  // with the panels
  void update_panels(Tile k);
  void update_cross(Tile) {}  // with the remainder
  void update_rest(Tile k);

 private:
  using EventId = kernels::EventId;
  using Range = kernels::Range;

  Range pivots(Tile k) const;
  /// The bands that hold these columns.
  Range bands_of(Range columns) const;
  Range columns_of(Range bands) const;
  std::byte* right(std::int64_t column, std::int64_t depth) const {
    return panel_.data() + tiles_.right_bytes(column, depth);
  }
  /// The device memory of a part while it passes.
  kernels::View in_slot(const DiskPart& part, std::int64_t item) const;
  std::int64_t columns(const DiskPart& part) const;
  kernels::View diagonal(Tile k) const;
  /// Brings the diagonal tile in, or takes it out.
  void pass_diagonal(Tile k, DiskParts::Flow flow);
  void close_tile(Tile k);
  void update_row_panel(Tile k);
  void update_piece(Tile k, const DiskPart& part, kernels::View piece);
  /// Updates rows that are not pivots of step k by its packed panel.
  void update_strip(Tile k, kernels::View strip);
  void advance(std::int64_t rows, std::int64_t columns, std::int64_t depth);
  void multiply(kernels::View c, const std::byte* left, const std::byte* right, std::int64_t depth,
                Range skipped_cols = {});

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  const Control& control_;
  std::int64_t n_, first_pivot_;
  int size_;  // bytes of a value
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

}  // namespace apsp::dense
