// Transitive closure on a device, in packed bits: words of 32 vertices, row by row.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

#include "kernels/device.hpp"

namespace apsp {

/// The side of a tile of bits.
inline constexpr std::int64_t kDeviceClosureTile = 512;

/// Host memory that a run takes besides the bytes, and device memory.
std::int64_t device_closure_host_bytes(std::int64_t n);
std::int64_t device_closure_device_bytes(std::int64_t n, const kernels::Device& device);

/// reach [n, n] bytes: 1 where a path leads, the empty one included. Requires: `device` is of
/// or-and. Throws `Error`: does_not_fit, interrupted, device.
void device_closure(kernels::Device& device, const Graph& graph, kernels::Tile reach, int threads,
                    const Control& control);

}  // namespace apsp
