// Vertex potentials on the device: found from a matrix, added to it, taken off again
// (kernels/potential.hpp).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

/// w(i, j) ← max(+0, w(i, j) + rows(i) − columns(j)). Values are f32 or f64, by their size.
void launch_reduce(cudaStream_t stream, Tile matrix, int value_size, const Potential* rows,
                   const Potential* columns);
/// d(i, j) ← d(i, j) + columns(j) − rows(i).
void launch_restore(cudaStream_t stream, Tile matrix, int value_size, const Potential* rows,
                    const Potential* columns);

/// As `Device::relax_potentials`.
void launch_relaxation(cudaStream_t stream, ConstTile weights, int value_size,
                       const base::PathUnit& unit, const PotentialSearch& search);
/// Bytes of `PotentialSearch::scratch` for n vertices.
std::int64_t relaxation_bytes(std::int64_t n);

}  // namespace apsp::kernels::cuda
