// Statistics of all distances on a device: the sweeps' distances are counted there, and what comes
// back is a few numbers a vertex.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>

#include "elimination/device_sweep.hpp"
#include "elimination/factor.hpp"
#include "kernels/device.hpp"
#include "store/counted_distances.hpp"

namespace apsp::elimination {

/// Memory of the device that counting takes besides the sweeps, bytes.
std::int64_t device_count_bytes(std::int64_t vertices, std::int64_t sources, std::int64_t limit);

/// Sweeps from all `sources`, which stand together in the order, `lanes` at a time. Requires:
/// min-plus over u16 or i32, distances from 0 on and below `limit`. Throws `Error`: does_not_fit,
/// interrupted, device.
store::CountedDistances count_on_device(const Factor& factor, kernels::ComputeDevice& device,
                                        std::span<const Vertex> sources, std::int64_t lanes,
                                        std::int64_t limit, const Control& control);

}  // namespace apsp::elimination
