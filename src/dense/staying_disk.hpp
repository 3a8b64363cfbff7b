// A matrix on the disk that stays on devices while it is solved: it is read once and written once.
//
// Rows arrive and leave in blocks (disk_blocks.hpp), which are also the steps:
//
//   for each block I, in order of arrival:
//     for each block k before it:  A(I,k) ← A(I,k) ⊗ A(k,k)*,  A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ A(k,j)
//     A(I,I) ← A(I,I)*,  A(I,j) ← A(I,j) ⊕ A(I,I) ⊗ A(I,j)
//   for each block I, from the last one to the first, which then leaves:
//     for each block k after it:  A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ A(k,j)
//
// The next block arrives during the work on a block, and a block leaves during the work on the one
// before it. A(k,:) is final in the second half: no path through k is met twice.
//
// Several devices hold columns of all rows, block-cyclically. A step needs one packed square of
// another device, A(I,k), and once in a block its closed diagonal tile: n² values for each device.
// Each device reads and writes the bands of its columns. The owner of block k + 1 updates A(I,k+1)
// first in step k and sends it, so the square arrives before the others end step k. The diagonal
// tile is closed during the remainder of the last step before it.
//
// n³ relaxations, shared by columns; n² values each way over the disk. The only checkpoint is the
// end.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "dense/disk_plan.hpp"
#include "dense/peer_memory.hpp"
#include "kernels/device.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::dense {

class StayingShare;

class StayingDisk : public PeerTeam {
 public:
  /// `plan`: of `plan_streamed_disk`, where rows stay. `devices`: as many as the plan has, without
  /// queues. `threads`: the most threads of the host for checksums. Requires: `matrix` has a
  /// checkpoint, its bands are the plan's, there is no negative cycle, and the diagonal is at least
  /// as good as the empty path. Throws `Error`: does_not_fit, device (no way between two of them).
  StayingDisk(store::DiskMatrix& matrix, const DiskPlan& plan,
              const std::vector<kernels::ComputeDevice*>& devices, int threads,
              const Control& control, std::int64_t piece_bytes = std::int64_t{4} << 20);
  ~StayingDisk();

  /// Solves from the checkpoint to the end. Throws `Error`: interrupted, input, input_output,
  /// device.
  void run();
  /// Returns the seconds of the last run in which the device that waited most waited for the disk.
  double waited() const;

 private:
  std::vector<std::unique_ptr<StayingShare>> shares_;
};

}  // namespace apsp::dense
