// What leaves a device of the distances that it finds, block of sources by block: statistics, which
// are counted there, or rows. Rows are transposed by vertex there and copied out piece by piece,
// under the next block's sweep, into pinned memory of the host.
#pragma once

#include <apsp/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "elimination/order.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "places/device_blocks.hpp"
#include "search/device_count.hpp"
#include "search/device_predecessors.hpp"
#include "search/device_search.hpp"
#include "search/source_blocks.hpp"
#include "store/column_sink.hpp"
#include "store/selection.hpp"

namespace apsp::elimination {

using search::CountMethod;
using search::DeviceCount;
using search::SourceBlocks;
using search::TakeRows;

/// Counts what is found from the blocks that it claims. Throws `Error`: does_not_fit, interrupted,
/// device, defect.
store::CountedDistances count_on_device(const Order& order, kernels::ComputeDevice& device,
                                        places::DeviceBlocks& found, SourceBlocks& blocks,
                                        const CountMethod& way);

/// How rows leave the device.
struct DeviceRows {
  std::int64_t lanes = 0;  ///< sources that are swept at a time
  std::int64_t piece = 0;  ///< rows that are copied out at a time

  /// For rows of so many values: some tens of megabytes a piece.
  static DeviceRows of(std::int64_t lanes, std::int64_t columns, ValueType type);
  /// Memory of the device besides `DeviceSweep`, and of the host, bytes.
  std::int64_t device_bytes(std::int64_t columns, ValueType type) const;
  std::int64_t host_bytes(std::int64_t columns, ValueType type) const;
};

/// Passes on the rows of what is found, values of `type`, from the blocks of sources that it
/// claims, `how.lanes` at a time, in order; rows have a column for each target. Where `way` counts,
/// the distances to all vertices are counted too, as `count_on_device` does, and passed back.
/// `on_device`: takes them on the device before; where `take` is empty, none is copied to the host.
/// Throws what the two throw, and `Error`: does_not_fit, interrupted, device, defect.
store::CountedDistances rows_from_device(const Order& order, const store::VertexList& targets,
                                         ValueType type, kernels::ComputeDevice& device,
                                         places::DeviceBlocks& found, SourceBlocks& blocks,
                                         const DeviceRows& how, const CountMethod& way,
                                         const TakeRows& take,
                                         const places::TakeOnDevice& on_device = {});

/// Takes rows, and the predecessors of the same pairs, [sources.size(), n] with the same stride, of
/// `kernels::predecessor_size`.
using TakeTrees = std::function<void(std::span<const Vertex> sources, const void* rows,
                                     std::int64_t stride, const std::byte* predecessors)>;

/// The same of all targets, with their predecessors, of pieces of `how.piece` rows of the blocks'
/// sources.
store::CountedDistances trees_from_device(
    const Order& order, ValueType type, kernels::ComputeDevice& device, places::DeviceBlocks& found,
    search::DevicePredecessors& predecessors, SourceBlocks& blocks, const DeviceRows& how,
    const CountMethod& way, const TakeTrees& take, const places::TakeOnDevice& on_device = {});

}  // namespace apsp::elimination
