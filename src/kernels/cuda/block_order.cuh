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

/// What this thread has seen, and what its block has done before a barrier, comes before what it
/// does next, for the whole device.
__device__ inline void fence_device() { asm volatile("fence.acq_rel.gpu;\n" ::: "memory"); }

__device__ inline unsigned peek_count(const unsigned* count) {
  unsigned now = 0;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];\n" : "=r"(now) : "l"(count) : "memory");
  return now;
}

/// Waits, one thread, until the count is at least `least`; what was done before the count was
/// raised comes before what the thread does next, and others of its block behind a barrier.
/// kPause: nanoseconds between two looks.
template <int kPause = 0>
__device__ void await_at_least(const unsigned* count, unsigned least) {
  while (peek_count(count) < least) {
    if constexpr (kPause > 0) __nanosleep(kPause);
  }
  fence_device();  // once: it empties the cache that others of the multiprocessor use
}

/// Raises a count by one, one thread, behind a barrier of its block.
__device__ inline void raise_behind_barrier(unsigned* count) {
  fence_device();
  atomicAdd(count, 1u);
}

/// Raises a count by one; all that the block did before, copies too, comes before what others do
/// behind `await_count`.
__device__ inline void raise_count(unsigned* count) {
  order_all_before_copies();
  __syncthreads();
  if (threadIdx.x == 0) raise_behind_barrier(count);
}

/// Waits, all threads of the block, until the count is at least `least`.
__device__ inline void await_count(const unsigned* count, unsigned least) {
  if (threadIdx.x == 0) await_at_least(count, least);
  __syncthreads();
  order_all_before_copies();
}

}  // namespace apsp::kernels::cuda
