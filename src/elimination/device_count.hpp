// Statistics of all distances on a device: the sweeps' distances are counted there, and what comes
// back is a few numbers a vertex.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>
#include <span>

#include "elimination/device_sweep.hpp"
#include "elimination/factor.hpp"
#include "elimination/source_blocks.hpp"
#include "kernels/device.hpp"
#include "store/counted_distances.hpp"

namespace apsp::elimination {

/// Min-plus over u16 or i32, distances from 0 on.
class DeviceCount {
 public:
  /// Claims memory and queues copies. `sources` outlive it; distances are below `limit`. Throws
  /// `Error` (does_not_fit).
  DeviceCount(const Order& order, kernels::ComputeDevice& device, kernels::QueueId queue,
              std::span<const Vertex> sources, std::int64_t limit);
  ~DeviceCount();

  /// Memory of the device, bytes.
  static std::int64_t device_bytes(std::int64_t vertices, std::int64_t sources, std::int64_t limit);

  /// Queues the count of what was found last, from the sources that begin with number `first`.
  void add(const places::DeviceBlocks& found, std::size_t first);
  /// Waits for all that was queued. Throws `Error`: device; defect, for a distance at or above the
  /// limit.
  store::CountedDistances counted();

 private:
  struct Arrays;
  const Order& order_;
  kernels::ComputeDevice& device_;
  kernels::QueueId queue_;
  std::span<const Vertex> sources_;
  std::int64_t limit_;
  std::unique_ptr<Arrays> arrays_;
};

/// Counts what is found from the blocks that it claims. Throws `Error`: does_not_fit, interrupted,
/// device, defect.
store::CountedDistances count_on_device(const Order& order, kernels::ComputeDevice& device,
                                        places::DeviceBlocks& found, SourceBlocks& blocks,
                                        std::int64_t limit);
/// The same by sweeps.
store::CountedDistances count_on_device(const Factor& factor, kernels::ComputeDevice& device,
                                        SourceBlocks& blocks, std::int64_t limit, int threads = 1,
                                        const SweepCut& cut = {});
/// The same from all `sources`, `lanes` that stand together at a time.
store::CountedDistances count_on_device(const Factor& factor, kernels::ComputeDevice& device,
                                        std::span<const Vertex> sources, std::int64_t lanes,
                                        std::int64_t limit, const Control& control, int threads = 1,
                                        const SweepCut& cut = {});

}  // namespace apsp::elimination
