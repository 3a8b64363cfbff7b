// Batches of a caller's small matrices (`CallerMatrices::close_batch`), launched.
#pragma once

#include "kernels/caller_matrices.hpp"
#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Since compute capability 9.0 several multiprocessors share a matrix.
std::int64_t batch_side(int capability, bool tracks_via);
void launch_batch(cudaStream_t stream, const CallerBatch& batch);

// Its parts, a file each for the compiler's sake.
void launch_batch_of_integers(cudaStream_t stream, const CallerBatch& batch);
void launch_batch_of_reals(cudaStream_t stream, const CallerBatch& batch);
void launch_batch_of_bottlenecks(cudaStream_t stream, const CallerBatch& batch);

}  // namespace apsp::kernels::cuda
