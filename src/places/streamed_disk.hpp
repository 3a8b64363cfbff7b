// The Place for a matrix on the disk that a device computes: disk → host → device, and back.
//
// Steps, phases and generations are those of disk_memory.hpp, but the panel and the closed diagonal
// tile are in the device's memory. Parts of the matrix pass: they are read into pinned memory,
// copied in, worked on, copied out and written, each stage under the others' work. The thread that
// runs the driver gives all orders to the device, and waits only for the oldest part. Threads of
// the disk compare the checksums of what is read, and write those of what is written.
//
// Where the matrix fits the device (`DiskPlan::stays`) parts come in during the first step and
// leave during the last one. Steps between them touch no disk, and only the last one ends in a cut.
//
// n³ relaxations; n² · passes values each way over the disk, and to the device.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "places/disk_plan.hpp"
#include "places/disk_queue.hpp"
#include "places/resident_matrix.hpp"
#include "places/tile.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::places {

class StreamedDisk {
 public:
  /// Requires: `matrix` has a cut, its bands are the plan's, and there is no negative cycle. The
  /// diagonal is at least as good as the empty path. `plan`: of `plan_streamed_disk`. `threads`: of
  /// the host, at most, for checksums. Throws `Error` (does_not_fit).
  StreamedDisk(store::DiskMatrix& matrix, const DiskPlan& plan, kernels::ComputeDevice& device,
               int threads, const Control& control);
  ~StreamedDisk();

  /// From the cut to the end. Throws `Error`: interrupted, input_output, device; cuts that are
  /// reached stay.
  void run();

  /// Seconds of the last run in which nothing was ordered, as the disk was waited for.
  double waited() const { return waited_; }

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

  /// Rows of some bands.
  struct BandRows {
    Range rows;
    Range bands;
  };
  /// What happens to a part around the work on it.
  struct Flow {
    bool in = false;     // it is read and copied in
    bool out = false;    // it is copied out and written
    EventId ready = -1;  // when it may leave; −1: when all that was ordered is done
  };
  /// Work on a block of rows, of so many relaxations a value.
  struct Ordered {
    EventId done;
    Range rows;
    std::int64_t depth;
  };
  struct Buffer {
    EventId read = -1, written = -1;  // of the disk
    EventId done = -1;                // of the device
  };

  Range pivots(Tile k) const;
  Range bands_of(Range columns) const;
  Range columns_of(Range bands) const;
  std::byte* host(std::int64_t item);
  std::byte* right(std::int64_t column, std::int64_t depth) const {
    return panel_.data() + device_.right_bytes(column, depth);
  }
  /// Of the matrix, where it stays on the device.
  kernels::View device_rows(Range rows, Range columns) const;
  /// Where a part is on the device while it passes.
  kernels::View in_slot(const BandRows& part, std::int64_t item) const;
  /// The diagonal tile.
  kernels::View diagonal(Tile k) const;
  /// Moves a part between its buffer on the host and the disk, or the device.
  EventId post_move(const BandRows& part, std::int64_t item, bool in);
  void copy(const BandRows& part, std::int64_t item, kernels::View device, bool in);
  /// Lets `count` parts pass. `part_of(item)` says which, `view_of(part, item)` where on the
  /// device; `work(part, view)` gives the orders for it, of `depth` relaxations a value.
  template <class PartOf, class ViewOf, class Work>
  void pass(Flow flow, std::int64_t count, std::int64_t depth, const PartOf& part_of,
            const ViewOf& view_of, const Work& work);
  void pass_diagonal(Tile k, Flow flow);
  void close_tile(Tile k);
  void update_row_panel(Tile k);
  void update_piece(Tile k, const BandRows& part, kernels::View piece);
  /// Rows that are no pivots of step k, by its packed panel.
  void update_strip(Tile k, kernels::View strip);
  // Where the matrix stays:
  void run_staying();
  /// Blocks of rows: those of earlier pivots, then those of each step.
  std::vector<Range> blocks() const;
  void pass_rows(Range rows, Flow flow);
  void note_ordered(Range rows, std::int64_t depth);
  /// Waits until at most so many are not done.
  void settle(std::size_t kept);
  void go_forward(Tile k);
  void go_backward(Range block);
  void advance(std::int64_t rows, std::int64_t columns, std::int64_t depth);
  void multiply(kernels::View c, const std::byte* left, const std::byte* right, std::int64_t depth,
                Range skipped_cols = {});

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::ComputeDevice& device_;
  int threads_;
  const Control& control_;
  std::int64_t n_, first_pivot_;
  int size_;  // of a value
  kernels::QueueId in_, work_, out_;
  base::AlignedMemory host_;  // [buffers], each bands one behind the other
  PinnedMemory pinned_;
  DeviceBuffer values_;              // the matrix where it stays, else the diagonal tile
  DeviceBuffer panel_, diagonal_;    // packed: right operands, and the closed tile as left ones
  DeviceBuffer left_;                // packed: a strip's part of the column panel
  std::vector<DeviceBuffer> slots_;  // parts, where the matrix does not stay
  ResidentMatrix closing_;           // the diagonal tile, by tiles of its own
  std::vector<Buffer> buffers_;
  std::deque<Ordered> ordered_;
  std::unique_ptr<DiskQueue> disk_;  // of a run
  EventId committed_ = -1;
  std::unique_ptr<base::ProgressTask> progress_;
  double waited_ = 0;
};

}  // namespace apsp::places
