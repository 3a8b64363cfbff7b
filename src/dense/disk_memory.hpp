// A matrix that is larger than the host's memory and is stored on the disk while it is solved.
//
// Its rows pass through the memory of the host's threads, or of one device, in every step
// (disk_passing.hpp). If they fit the memory of one or several devices, they stay there from the
// first step to the last (disk_staying.hpp). disk_plan.hpp chooses.
#pragma once

#include <apsp/progress.hpp>
#include <memory>
#include <vector>

#include "dense/disk_share.hpp"
#include "dense/peer_memory.hpp"

namespace apsp::dense {

/// `run` solves from the checkpoint to the end, and throws as `DiskShare::run`. The last checkpoint
/// stays.
class DiskMemory : public PeerTeam<DiskShare> {
 public:
  /// `plan`: of `plan_disk`. `devices`: as many as the plan has, without queues; the host's threads
  /// are one (kernels/host/host_device.hpp). `threads`: the most threads of the host for checksums.
  /// Requires: `matrix` has a checkpoint, its bands are the plan's, there is no negative cycle, and
  /// the diagonal is at least as good as the empty path. Throws `Error`: does_not_fit, device (no
  /// way between two of them).
  DiskMemory(store::DiskMatrix& matrix, const DiskPlan& plan,
             const std::vector<kernels::ComputeDevice*>& devices, int threads,
             const Control& control, std::int64_t piece_bytes = std::int64_t{4} << 20);
  ~DiskMemory();

  /// Returns the seconds of the last run in which the device that waited most waited for the disk.
  double waited() const;
};

}  // namespace apsp::dense
