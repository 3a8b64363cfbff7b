// Transitive closure: which vertices reach which, in packed bits from start to end, on the host or
// on devices; only the result is bytes.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <vector>

#include "kernels/contract.hpp"
#include "kernels/device.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::places {

/// A row of a matrix of bytes.
inline std::uint8_t* byte_row(kernels::View bytes, std::int64_t i) {
  return static_cast<std::uint8_t*>(bytes.data) + i * bytes.stride;
}

/// reach [n, n] of bytes ← 1 where there is a path, the empty one included, else 0. What the matrix
/// holds before is not read. Throws `Error` (interrupted).
void transitive_closure(const Graph& graph, kernels::View reach, int threads,
                        const Control& control = {});

/// The same in place: on entry bytes that are not 0 where there is an arc.
void transitive_closure(kernels::View matrix, int threads, const Control& control = {});

/// Bytes that a run takes besides the matrix of bytes.
std::int64_t transitive_closure_bytes(std::int64_t n);

// On devices bits lie in words of 32 vertices, row by row.

/// The side of a tile of bits.
inline constexpr std::int64_t kDeviceClosureTile = 512;

/// A matrix of n vertices as bits of `rows` rows; `words`: [rows, cols / 32 rounded up].
TiledMatrix bit_tiling(std::uint32_t* words, std::int64_t rows, std::int64_t cols);
/// words [cols / 32 rounded up] ← which bytes of a row are not 0, and back.
void pack_bits(const std::uint8_t* row, std::int64_t cols, std::uint32_t* words);
void unpack_bits(const std::uint32_t* words, std::int64_t cols, std::uint8_t* row);

/// Host memory that a run takes besides the bytes, and device memory.
std::int64_t device_closure_host_bytes(std::int64_t n);
std::int64_t device_closure_device_bytes(std::int64_t n, const kernels::DeviceSizes& device,
                                         int devices = 1);

/// As `transitive_closure`. Returns the seconds from the first copy in to the last copy out; packing
/// and unpacking on the host come besides. Requires: `devices`, which share the work and were opened
/// just now, are of or-and. Throws `Error`: does_not_fit, interrupted, device.
double device_closure(const std::vector<kernels::ComputeDevice*>& devices, const Graph& graph,
                      kernels::View reach, int threads, const Control& control);

/// The same in place: on entry bytes that are not 0 where there is an arc.
double device_closure(const std::vector<kernels::ComputeDevice*>& devices, kernels::View matrix,
                      int threads, const Control& control);

}  // namespace apsp::places
