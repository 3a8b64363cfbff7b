// What leaves a device of the distances that it finds, block of sources by block: statistics, which
// are counted there, or rows. Rows are transposed by vertex there and copied out piece by piece,
// under the next block's sweep, into pinned memory of the host.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/control.hpp"
#include "elimination/order.hpp"
#include "kernels/device.hpp"
#include "places/device_blocks.hpp"
#include "search/device_count.hpp"
#include "search/device_predecessors.hpp"
#include "search/device_search.hpp"
#include "store/column_sink.hpp"
#include "store/selection.hpp"

namespace apsp::elimination {

using search::DeviceCount;
using search::TakeRows;

/// Blocks of sources that several devices sweep from: each claims the next one when it has room. A
/// block always begins at a multiple of `lanes`, whoever claims it, so that its lists are those
/// that were counted for the plan (upward_lists.hpp).
class SourceBlocks {
 public:
  struct SourceBlock {
    std::size_t first, count;  // of the sources
  };

  /// `sources` outlive it. One task of progress, of all devices together.
  SourceBlocks(std::span<const Vertex> sources, std::int64_t lanes, const Control& control)
      : sources_(sources),
        lanes_(static_cast<std::size_t>(lanes)),
        control_(control),
        progress_(control, "solving", static_cast<double>(sources.size()), "row") {}

  std::span<const Vertex> sources() const { return sources_; }
  std::int64_t lanes() const { return static_cast<std::int64_t>(lanes_); }

  /// The next block; none: all are claimed, or `stop` was called. From any thread. Throws `Error`
  /// (interrupted).
  std::optional<SourceBlock> claim() {
    base::check_cancelled(control_);
    const std::size_t first = next_.fetch_add(lanes_);
    if (first >= sources_.size()) return std::nullopt;
    return SourceBlock{first, std::min(lanes_, sources_.size() - first)};
  }
  /// One of the devices has failed: nobody claims any more.
  void stop() { next_ = sources_.size(); }
  /// So many sources are done.
  void advance(std::size_t count) { progress_.advance(static_cast<double>(count)); }
  const Control& control() const { return control_; }

 private:
  std::span<const Vertex> sources_;
  std::size_t lanes_;
  const Control& control_;
  std::atomic<std::size_t> next_{0};
  base::ProgressTask progress_;
};

/// Counts what is found from the blocks that it claims. Throws `Error`: does_not_fit, interrupted,
/// device, defect.
store::CountedDistances count_on_device(const Order& order, kernels::ComputeDevice& device,
                                        places::DeviceBlocks& found, SourceBlocks& blocks,
                                        std::int64_t limit);

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
/// claims, `how.lanes` at a time, in order; rows have a column for each target. `limit`: positive:
/// the distances to all vertices are counted too, as `count_on_device` does, and passed back.
/// Throws what `take` throws, and `Error`: does_not_fit, interrupted, device, defect.
store::CountedDistances rows_from_device(const Order& order, const store::VertexList& targets,
                                         ValueType type, kernels::ComputeDevice& device,
                                         places::DeviceBlocks& found, SourceBlocks& blocks,
                                         const DeviceRows& how, std::int64_t limit,
                                         const TakeRows& take);

/// Takes rows, and the predecessors of the same pairs, [sources.size(), n] with the same stride, of
/// `kernels::predecessor_size`.
using TakeTrees = std::function<void(std::span<const Vertex> sources, const void* rows,
                                     std::int64_t stride, const std::byte* predecessors)>;

/// The same of all targets, with their predecessors, of pieces of `how.piece` rows of the blocks'
/// sources.
store::CountedDistances trees_from_device(const Order& order, ValueType type,
                                          kernels::ComputeDevice& device,
                                          places::DeviceBlocks& found,
                                          search::DevicePredecessors& predecessors,
                                          SourceBlocks& blocks, const DeviceRows& how,
                                          std::int64_t limit, const TakeTrees& take);

}  // namespace apsp::elimination
