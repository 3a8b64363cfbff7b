// Statistics or rows of the blocks of distances that a device computes. Statistics are counted on
// the device. Rows are transposed there and copied to pinned host memory, piece by piece, during
// the sweep of the next block.
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "dense/device_blocks.hpp"
#include "flow/column_sink.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "paths/device_predecessors.hpp"
#include "search/device_search.hpp"
#include "search/source_blocks.hpp"
#include "sparse/order.hpp"
#include "statistics/device_count.hpp"
#include "store/selection.hpp"

namespace apsp::sparse {

using search::SourceBlocks;
using search::TakeRows;
using statistics::CountMethod;

/// Counts the distances of the claimed blocks. Throws `Error`: does_not_fit, interrupted, device,
/// defect.
flow::CountedDistances count_on_device(const Order& order, kernels::ComputeDevice& device,
                                       dense::DeviceBlocks& found, SourceBlocks& blocks,
                                       const CountMethod& way);

/// Sizes of blocks and copies.
struct DeviceRows {
  std::int64_t lanes = 0;  ///< sources of a sweep
  std::int64_t piece = 0;  ///< rows of a copy

  /// Returns sizes for rows of `columns` values, with pieces of some tens of megabytes.
  static DeviceRows of(std::int64_t lanes, std::int64_t columns, ValueType type);
  /// Return bytes of the device, without `DeviceSweep`, and of the host.
  std::int64_t device_bytes(std::int64_t columns, ValueType type) const;
  std::int64_t host_bytes(std::int64_t columns, ValueType type) const;
};

/// Gives the rows of the claimed blocks to `take`, `how.lanes` sources at a time, in order, as
/// values of `type` with a column for each target. If `way` counts, returns the counts of the
/// distances to all vertices too, as `count_on_device` does. `on_device` receives rows first, on
/// the device. If `take` is empty, none is copied to the host. Throws exceptions of both, and
/// `Error`: does_not_fit, interrupted, device, defect.
flow::CountedDistances rows_from_device(const Order& order, const store::VertexList& targets,
                                        ValueType type, kernels::ComputeDevice& device,
                                        dense::DeviceBlocks& found, SourceBlocks& blocks,
                                        const DeviceRows& how, const CountMethod& way,
                                        const TakeRows& take,
                                        const dense::TakeOnDevice& on_device = {});

/// Receives rows and the predecessors of the same pairs, [sources.size(), n] with the same stride,
/// of `kernels::predecessor_size`.
using TakeTrees = std::function<void(std::span<const Vertex> sources, const void* rows,
                                     std::int64_t stride, const std::byte* predecessors)>;

/// Gives rows of all targets with their predecessors to `take`, in pieces of `how.piece` rows.
flow::CountedDistances trees_from_device(const Order& order, ValueType type,
                                         kernels::ComputeDevice& device, dense::DeviceBlocks& found,
                                         paths::DevicePredecessors& predecessors,
                                         SourceBlocks& blocks, const DeviceRows& how,
                                         const CountMethod& way, const TakeTrees& take,
                                         const dense::TakeOnDevice& on_device = {});

}  // namespace apsp::sparse
