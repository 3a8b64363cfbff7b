// Transposes on the device: a matrix's, and the upper triangle of a symmetric one from its lower.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

/// matrix(i, j) ← matrix(j, i) where i / tile < j / tile. Requires: tile is a multiple of 32.
void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile);

/// to [n, m] ← from [m, n]ᵗ. Requires: no overlap.
void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size);

}  // namespace apsp::kernels::cuda
