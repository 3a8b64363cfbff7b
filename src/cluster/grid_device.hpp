// The device on which a process solves its part of the matrix on a grid.
#pragma once

#include <cstdint>
#include <memory>

#include "dense/device_buffer.hpp"
#include "dense/grid.hpp"
#include "dense/resident_matrix.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/device.hpp"
#include "planner/plan.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::cluster {

/// The device on which a process solves its part of the matrix: the host's threads, in the host's
/// memory, or a GPU, on a copy in its memory. A larger part streams through the GPU, from the
/// host's memory and back (streamed_part.hpp). Reachability is solved in bits on a GPU: the bytes
/// of the part are packed on their way to it.
class GridDevice {
 public:
  /// Opens it: the plan's GPU, or `plan.threads` threads. Throws `Error` (device).
  explicit GridDevice(const planner::Plan& plan);
  GridDevice(const GridDevice&) = delete;
  GridDevice& operator=(const GridDevice&) = delete;

  kernels::ComputeDevice& device() const { return *device_; }
  /// Returns bytes of host memory for a part of rows × cols values and its panels, or those that
  /// are on their way to a GPU.
  static std::int64_t bytes(const planner::Plan& plan, std::int64_t rows, std::int64_t cols);

  /// `held`: this process's part, in the host's memory, which is pinned. `via`: intermediate
  /// vertices of the same part, kNoVia; no data: not tracked. Throws `Error` (does_not_fit).
  void take(const dense::TiledMatrix& held, const dense::TiledMatrix& via);
  /// The matrix that is solved: in the device's memory, or in the host's if it streams.
  const dense::TiledMatrix& part() const { return part_; }
  dense::ResidentPlanes planes() const { return {.values = part_, .via = via_part_}; }
  bool streams() const { return streams_; }
  /// Packs bits. Queues the part's way in for a solve from step `first` on: under its first step,
  /// where that is the first of all. `rows_leave`: what is final leaves under the last two.
  dense::Overlap copy_in(const dense::GridPart& part, dense::Tile first, bool rows_leave);
  /// Returns when all has left, and bits are bytes again.
  void copy_out();

 private:
  kernels::View held(const dense::TiledMatrix& plane, dense::TileSpan rows,
                     dense::TileSpan columns) const;
  /// f(a plane in the device's memory, the same in the host's).
  template <class F>
  void for_each_copied(F&& f) const;
  template <class Convert>
  void for_each_row_of_bits(const Convert& convert);

  int threads_;
  bool in_bits_, on_gpu_, streams_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  dense::TiledMatrix held_, copied_, part_;  // in the host's memory; what is copied; on the device
  system::AlignedMemory bits_;
  std::unique_ptr<dense::PinnedMemory> pinned_;
  dense::DeviceBuffer memory_;
  dense::TiledMatrix via_, via_part_;  // of the host, on the device; no data: not tracked
  std::unique_ptr<dense::PinnedMemory> pinned_via_;
  dense::DeviceBuffer via_memory_;
  kernels::QueueId queue_ = 0;         // of copies
  dense::BlockCyclic rows_, columns_;  // of the last solve
  bool has_left_ = false;              // its rows were copied out as they became final
};

}  // namespace apsp::cluster
