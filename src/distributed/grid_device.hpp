// What a process of a grid solves its part of a matrix on: the host's threads, on the part as it
// lies in the host's memory, or a GPU, on a copy in its memory. A part that is larger than that
// streams through it, from the host's memory and back (distributed/streamed_part.hpp).
//
// Reachability is solved in bits on a GPU: the bytes of the part are packed on their way there.
#pragma once

#include <cstdint>
#include <memory>

#include "base/aligned_memory.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "places/resident_matrix.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/plan.hpp"

namespace apsp::distributed {

class GridDevice {
 public:
  /// Opens it: the plan's GPU, or `plan.threads` threads. Throws `Error` (device).
  explicit GridDevice(const planner::Plan& plan);
  GridDevice(const GridDevice&) = delete;
  GridDevice& operator=(const GridDevice&) = delete;

  kernels::ComputeDevice& device() const { return *device_; }
  /// Host memory that a part of rows × cols values takes with its panels, or with those that are
  /// on their way to a GPU, bytes.
  static std::int64_t bytes(const planner::Plan& plan, std::int64_t rows, std::int64_t cols);

  /// `held`: this process's part, in the host's memory, which is pinned. `via`: intermediate
  /// vertices of the same part, kNoVia; no data: not tracked. Throws `Error` (does_not_fit).
  void take(const places::TiledMatrix& held, const places::TiledMatrix& via);
  /// What the device solves: in its memory, or in the host's where it streams.
  const places::TiledMatrix& part() const { return part_; }
  places::ResidentPlanes planes() const { return {.values = part_, .via = via_part_}; }
  bool streams() const { return streams_; }
  /// Packs bits. Queues the part's way in for a solve from step `first` on: under its first step,
  /// where that is the first of all. `rows_leave`: what is final leaves under the last two.
  places::Overlap copy_in(const places::GridPart& part, places::Tile first, bool rows_leave);
  /// Returns when all has left, and bits are bytes again.
  void copy_out();

 private:
  kernels::View held(const places::TiledMatrix& plane, places::TileSpan rows,
                     places::TileSpan columns) const;
  /// f(a plane in the device's memory, the same in the host's).
  template <class F>
  void for_each_copied(F&& f) const;
  template <class Convert>
  void for_each_row_of_bits(const Convert& convert);

  int threads_;
  bool in_bits_, on_gpu_, streams_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  places::TiledMatrix held_, copied_, part_;  // in the host's memory; what is copied; on the device
  base::AlignedMemory bits_;
  std::unique_ptr<places::PinnedMemory> pinned_;
  places::DeviceBuffer memory_;
  places::TiledMatrix via_, via_part_;  // of the host, on the device; no data: not tracked
  std::unique_ptr<places::PinnedMemory> pinned_via_;
  places::DeviceBuffer via_memory_;
  kernels::QueueId queue_ = 0;          // of copies
  places::BlockCyclic rows_, columns_;  // of the last solve
  bool has_left_ = false;               // its rows were copied out as they became final
};

}  // namespace apsp::distributed
