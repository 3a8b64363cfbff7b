// Transitive closure on a device, in packed bits: words of 32 vertices, row by row.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <vector>

#include "kernels/device.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::places {

/// The side of a tile of bits.
inline constexpr std::int64_t kDeviceClosureTile = 512;

/// A matrix of n vertices as bits of `rows` rows; `words`: [rows, cols / 32 rounded up].
places::TiledMatrix bit_tiling(std::uint32_t* words, std::int64_t rows, std::int64_t cols);
/// words [cols / 32 rounded up] ← which bytes of a row are not 0, and back.
void pack_bits(const std::uint8_t* row, std::int64_t cols, std::uint32_t* words);
void unpack_bits(const std::uint32_t* words, std::int64_t cols, std::uint8_t* row);

/// Host memory that a run takes besides the bytes, and device memory.
std::int64_t device_closure_host_bytes(std::int64_t n);
std::int64_t device_closure_device_bytes(std::int64_t n, const kernels::DeviceSizes& device,
                                         int devices = 1);

/// reach [n, n] of bytes ← 1 where there is a path, the empty one included, else 0. What the matrix
/// holds before is not read. Returns the seconds from the first copy in to the last copy out;
/// packing and unpacking on the host come besides. Requires: `devices`, which share the work and
/// were opened just now, are of or-and. Throws `Error`: does_not_fit, interrupted, device.
double device_closure(const std::vector<kernels::ComputeDevice*>& devices, const Graph& graph,
                      kernels::View reach, int threads, const Control& control);

/// The same in place: on entry bytes that are not 0 where there is an arc.
double device_closure(const std::vector<kernels::ComputeDevice*>& devices, kernels::View matrix,
                      int threads, const Control& control);

}  // namespace apsp::places
