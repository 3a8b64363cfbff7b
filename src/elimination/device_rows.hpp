// Rows of distances from a device: each block's are transposed into rows by vertex there, and
// copied out piece by piece, under the next block's sweep, into pinned memory of the host.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <span>

#include "elimination/device_count.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/factor.hpp"
#include "kernels/device.hpp"

namespace apsp::elimination {

/// How rows leave the device.
struct DeviceRows {
  std::int64_t lanes = 0;  ///< sources that are swept at a time
  std::int64_t piece = 0;  ///< rows that are copied out at a time

  /// For rows of n values: some tens of megabytes a piece.
  static DeviceRows of(std::int64_t lanes, std::int64_t vertices, ValueType type);
  /// Memory of the device besides `DeviceSweep`, and of the host, bytes.
  std::int64_t device_bytes(std::int64_t vertices, ValueType type) const;
  std::int64_t host_bytes(std::int64_t vertices, ValueType type) const;
};

/// Takes the rows of some sources, [sources.size(), n] values by vertex, which it may read until it
/// returns.
using TakeRows =
    std::function<void(std::span<const Vertex> sources, const void* rows, std::int64_t stride)>;

/// Passes on the rows of what is found, values of `type`, as below.
store::CountedDistances rows_from_device(const Order& order, ValueType type,
                                         kernels::ComputeDevice& device,
                                         places::DeviceBlocks& found, SourceBlocks& blocks,
                                         const DeviceRows& how, std::int64_t limit,
                                         const TakeRows& take);

/// By sweeps: passes on the rows of the blocks of sources that it claims, `how.lanes` at a time, in
/// order. `limit`: positive: their distances are counted too, as `count_on_device` does, and
/// returned. Throws what `take` throws, and `Error`: does_not_fit, interrupted, device, defect.
store::CountedDistances rows_from_device(const Factor& factor, kernels::ComputeDevice& device,
                                         SourceBlocks& blocks, const DeviceRows& how,
                                         std::int64_t limit, const TakeRows& take, int threads = 1,
                                         const SweepCut& cut = {});

/// The same of all `sources`, in their order.
store::CountedDistances rows_from_device(const Factor& factor, kernels::ComputeDevice& device,
                                         std::span<const Vertex> sources, const DeviceRows& how,
                                         std::int64_t limit, const TakeRows& take,
                                         const Control& control, int threads = 1,
                                         const SweepCut& cut = {});

}  // namespace apsp::elimination
