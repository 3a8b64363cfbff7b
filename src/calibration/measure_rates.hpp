// How fast this machine is, by solves: small random graphs go the way that `solve` goes, from the
// graph to statistics, on sizes that grow until the time is spent.
//
// Whole solves are measured, not kernels, so the figures hold whatever a solve consists of: first
// touch of pages, filling, panels, waiting of threads; on a GPU queues, pinning, copies. Best of
// three, for other processes only add.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/rates.hpp"

namespace apsp::calibration {

struct MeasureLimits {
  double seconds = 0.3;          // that may be spent, more or less
  std::int64_t bytes = 1 << 30;  // of the host's memory that a solve may take
  const Cancellation* cancellation = nullptr;
  std::vector<std::int64_t> sizes{};  // of solves, ascending; empty: chosen
};

/// A sparse random graph that is solved by this kind of kernel. Empty: there is none, such as
/// undirected graphs with negative edges. Weights are integers.
std::optional<Graph> measuring_graph(const planner::KernelKind& kind, places::Shape shape,
                                     std::int64_t n);

/// Empty where nothing could be measured. Throws `Error` (interrupted).
std::optional<planner::HostRates> measure_host(const planner::KernelKind& kind, places::Shape shape,
                                               int threads, const MeasureLimits& limits);

/// `start` is left 0: the driver is up by now. As above.
std::optional<planner::DeviceRates> measure_device(const planner::Devices& devices,
                                                   const planner::DeviceFacts& device,
                                                   const planner::KernelKind& kind,
                                                   places::Shape shape, int threads,
                                                   const MeasureLimits& limits);

/// What the device and its host do around any kernel, in some 40 ms; `start` is left 0. As above.
std::optional<planner::LinkRates> measure_link(const planner::Devices& devices,
                                               const planner::DeviceFacts& device,
                                               const MeasureLimits& limits);

}  // namespace apsp::calibration
