// Copies of short rows from a GPU to pinned host memory.
#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Queues the copy of a tile and returns true if this kernel is the faster way: many short rows, at
/// most 128 KiB apart, in aligned words of 16 bytes. Otherwise does nothing and returns false.
bool launch_narrow_copy(cudaStream_t stream, View host, ConstView device, int value_size);

}  // namespace apsp::kernels::cuda
