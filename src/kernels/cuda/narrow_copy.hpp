// Tiles of short rows from a GPU to pinned memory of the host, written there by a kernel.
//
// The copy engines move rows of up to 4 KiB at 28 of the 55 GB/s of the link. A few warps that
// write them in words of 16 bytes move 41; many move less (18 GB/s from all multiprocessors of an
// H200). Where rows of the host's matrix begin more than 128 KiB apart, each lies in pages of its
// own, and warps that write many of them at once move 5 GB/s: engines take these.
// bench/attempts-gpu.md has the figures.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

/// Queues the copy and returns true where it is one for this kernel: short rows, many of them, at
/// most 128 KiB apart, all words whole, and the host's memory pinned. Else it does nothing.
bool launch_narrow_copy(cudaStream_t stream, View host, ConstView device, int value_size);

}  // namespace apsp::kernels::cuda
