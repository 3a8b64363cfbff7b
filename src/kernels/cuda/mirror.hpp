// The upper triangle of a symmetric matrix from its lower one, on the device.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

/// matrix(i, j) ← matrix(j, i) where i / tile < j / tile. Requires: tile is a multiple of 32.
void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile);

}  // namespace apsp::kernels::cuda
