// Statistics of all distances on a device: the sweeps' distances are counted there, and what comes
// back is a few numbers a vertex.
//
// Blocks of sources that several devices sweep from: each claims the next one when it has room.
//
// A block always begins at a multiple of `lanes`, whoever claims it, so that its lists are those
// that were counted for the plan (upward_lists.hpp).
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/control.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/factor.hpp"
#include "kernels/device.hpp"
#include "store/counted_distances.hpp"

namespace apsp::elimination {

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
