// Matrices and gathered rows transposed on a GPU.
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

/// matrix(i, j) ← matrix(j, i) where i / tile < j / tile. Requires: tile is a multiple of 32.
void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile);
/// to [n, m] ← from [m, n]ᵗ. Requires: no overlap.
void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size);

/// Transposes gathered rows into values of the semiring. Requires: values are not bits.
void launch_transposed_rows(cudaStream_t stream, const DeviceOperations& of,
                            const TransposedRows& rows);

}  // namespace apsp::kernels::cuda
