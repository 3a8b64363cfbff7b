// What the blocks of threads of one launch tell each other, all of them on the device at once:
// counts in the device's memory that only rise.
#pragma once

#include "kernels/cuda/async_copy.cuh"

namespace apsp::kernels::cuda {

__device__ inline unsigned multiprocessor() {
  unsigned number = 0;
  asm volatile("mov.u32 %0, %%smid;\n" : "=r"(number));
  return number;
}

/// Raises a count by one; all that the block did before, copies too, comes before what others do
/// behind `await_count`.
__device__ inline void raise_count(unsigned* count) {
  order_all_before_copies();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
  }
}

/// Waits, all threads of the block, until the count is at least `least`.
__device__ inline void await_count(const unsigned* count, unsigned least) {
  if (threadIdx.x == 0) {
    unsigned now = 0;
    do {
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];\n" : "=r"(now) : "l"(count) : "memory");
    } while (now < least);
    __threadfence();  // once: it empties the cache that others of the multiprocessor use
  }
  __syncthreads();
  order_all_before_copies();
}

}  // namespace apsp::kernels::cuda
