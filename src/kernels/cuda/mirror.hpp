// Matrices and gathered rows transposed on a GPU.
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

/// matrix(i, j) ← matrix(j, i) where i / tile < j / tile. Requires: tile is a multiple of 32.
void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile);
/// to [n, m] ← from [m, n]ᵗ. Requires: no overlap.
void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size);

using LaunchTransposedRows = void (*)(cudaStream_t stream, const TransposedRows& transposed);
LaunchTransposedRows transposed_rows(Semiring semiring, ValueType type);
/// Transposes gathered rows of `ListedForm::whole` into values of f64.
LaunchTransposedRows transposed_whole_rows();

}  // namespace apsp::kernels::cuda
