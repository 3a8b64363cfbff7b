// The Place for a matrix on the disk that stays on devices while it is solved: the disk is read
// once and written once.
//
// Rows come and leave in blocks (disk_blocks.hpp), which are also the steps:
//
//   for each block I, from the first on, as it has come:
//     for each block k before it:  A(I,k) ← A(I,k) ⊗ A(k,k)*,  A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ A(k,j)
//     A(I,I) ← A(I,I)*,  A(I,j) ← A(I,j) ⊕ A(I,I) ⊗ A(I,j)
//   for each block I, from the last on, which then leaves:
//     for each block k behind it:  A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ A(k,j)
//
// So a block is worked on while the next one comes, and leaves under the work on the one above it.
// A(k,:) is final in the second half: no path through k is met twice.
//
// Several devices hold columns of all rows (block-cyclic, disk_blocks.hpp). What a step needs of
// another device is then one packed square, A(I,k), and once a block its closed diagonal tile: all
// squares are n² values for each device. Each reads and writes the bands of its columns by itself.
// The owner of block k + 1 updates A(I,k+1) before its other columns in step k, and sends it: the
// square has come when the others are done with step k. The diagonal tile is closed under the rest
// of the last step before it.
//
// n³ relaxations, each device those of its columns; n² values each way over the disk. The only cut
// is the end.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "places/disk_blocks.hpp"
#include "places/disk_parts.hpp"
#include "places/disk_plan.hpp"
#include "places/peer_memory.hpp"
#include "places/resident_matrix.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::places {

/// What one device does of it, by a thread of its own.
class StayingShare {
 public:
  /// As `StayingDisk`; `share` has a transport, and the threads are this device's.
  StayingShare(store::DiskMatrix& matrix, const DiskPlan& plan, kernels::ComputeDevice& device,
               const StreamedShare& share, int threads, const Control& control);
  ~StayingShare();

  void run();
  /// Ends what a run that failed has left in the queues. No other throws afterwards.
  void drain_queues() noexcept;
  double waited() const { return parts_.waited(); }

 private:
  using EventId = kernels::EventId;
  using Range = kernels::Range;
  using Flow = DiskParts::Flow;

  /// The left operand of a step, packed.
  struct Square {
    std::byte* data = nullptr;
    int set = 0;
    EventId arrived = -1;  // −1: it is made here
  };
  /// Work on a block of rows, of so many relaxations a value.
  struct Ordered {
    EventId done;
    Range rows;
    std::int64_t depth;
  };
  /// A block of rows, and the half of the solve that it is in.
  struct Row {
    std::size_t block;
    bool forward;
  };

  bool mine(std::size_t block) const { return blocks_[block].owner == share_.rank; }
  bool alone() const { return share_.size == 1; }
  Range lines(std::size_t block) const { return blocks_[block].lines; }
  /// Of the columns that are held.
  kernels::View held(Range rows, Range columns) const;
  kernels::View diagonal(std::size_t block) const {
    return held(lines(block), blocks_[block].held);
  }
  /// All have come here, and any was asked to end: all end.
  bool stopped();
  bool solve();
  void commit();
  /// What was sent has been taken.
  void settle_sent();
  void pass_rows(Range rows, Flow flow);
  void go_forward(std::size_t block);
  void go_backward(std::size_t block);
  /// The steps [first, end) of some rows.
  EventId take_steps(Row row, std::size_t first, std::size_t end);
  /// A(row, k), on all devices.
  Square bring_square(Row row, std::size_t k);
  void make_square(Row row, std::size_t k, std::byte* packed);
  /// The closed diagonal tile, packed on all devices; returns when it is here.
  EventId bring_closed(std::size_t block);
  void pack_rows(Range rows);
  /// Held columns of rows, by the packed panel; those of up to two blocks are left out.
  void multiply(Range rows, Range columns, const std::byte* left, std::int64_t depth,
                Range skipped = {});
  void multiply_all_but(Range rows, const std::byte* left, std::int64_t depth, Range one,
                        Range other);
  /// `depth`: of the work on these rows that was ordered last.
  void note_ordered(Range rows, std::int64_t depth);
  /// Waits until at most so many are not done.
  void settle(std::size_t kept);

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::ComputeDevice& device_;
  StreamedShare share_;
  const Control& control_;
  std::int64_t n_, first_pivot_;
  int size_;                       // of a value
  std::vector<DiskBlock> blocks_;  // earlier pivots, then steps
  std::size_t first_step_ = 0;     // the first block of these
  std::int64_t columns_;           // that are held
  std::vector<std::int64_t> bands_;
  kernels::QueueId in_, work_, out_, squares_;
  DiskParts parts_;
  DeviceBuffer values_;              // [n, columns held]
  DeviceBuffer panel_;               // packed: rows of a step, right operands
  DeviceBuffer tile_;                // packed: its closed diagonal tile, a right operand
  DeviceBuffer closed_;              // the same of the rows that are worked on, a left one
  std::vector<DeviceBuffer> lefts_;  // squares
  std::vector<EventId> left_used_;   // by the last step that had the square
  EventId closed_used_ = -1;
  std::size_t squares_brought_ = 0;
  ResidentMatrix closing_;  // the diagonal tile, by tiles of its own
  std::deque<Ordered> ordered_;
  std::unique_ptr<base::ProgressTask> progress_;
};

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
