// Blocked Floyd-Warshall on one thread, for matrices so small that a Place's tasks and panels of
// its own take longer than the relaxations: a third of the time of `HostMemory` for n = 64, half of
// it for n = 128.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::dense {

/// Bytes of the panels of `serial_floyd_warshall`.
std::int64_t serial_panel_bytes(std::int64_t n, std::int64_t tile,
                                const kernels::TileOperations& operations);

/// matrix [n, n] ← matrix*, to the bits of `HostMemory` with the same tile. `panels`: 64-byte
/// aligned. Returns as `TileOperations::close` with `Cycles::possible`.
std::int64_t serial_floyd_warshall(kernels::View matrix, std::int64_t tile,
                                   const kernels::TileOperations& operations, std::byte* panels);

}  // namespace apsp::dense
