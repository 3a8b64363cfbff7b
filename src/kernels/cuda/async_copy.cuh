// Asynchronous copies into shared memory, in PTX.
//
// Since compute capability 9.0, one thread starts the copy of a whole stage, and the others wait
// for its bytes at a barrier in shared memory. Before that, every thread copies 16 bytes at a time.
#pragma once

#include <cstdint>

namespace apsp::kernels::cuda {

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ inline void copy_16_bytes(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(to)), "l"(from));
}
template <int kBytes>
__device__ void copy_some_bytes(void* to, const void* from) {
  if constexpr (kBytes == 16) {
    copy_16_bytes(to, from);
  } else {
    static_assert(kBytes == 8);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" ::"r"(shared_address(to)), "l"(from));
  }
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n"); }
template <int kPending>
__device__ void await_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending));
}

/// Orders this thread's accesses to all memory before later asynchronous copies.
__device__ inline void order_all_before_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async;\n" ::: "memory");
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline void init_barrier(std::uint64_t* barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;\n" ::"r"(shared_address(barrier)));
}
/// Orders this thread's accesses to shared memory before copies that follow the next barrier.
__device__ inline void order_before_copies() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}
__device__ inline void expect_bytes(std::uint64_t* barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;\n" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ inline void copy_bytes(void* to, const void* from, std::uint32_t bytes,
                                  std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
__device__ inline void await_barrier(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "}\n" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
#endif

// Counters in device memory, which only increase, for all blocks of a launch, resident at once.

__device__ inline unsigned multiprocessor() {
  unsigned number = 0;
  asm volatile("mov.u32 %0, %%smid;\n" : "=r"(number));
  return number;
}

/// Orders earlier accesses of this thread (and, after a barrier, of its block) before later ones.
__device__ inline void fence_device() { asm volatile("fence.acq_rel.gpu;\n" ::: "memory"); }

__device__ inline unsigned peek_count(const unsigned* count) {
  unsigned now = 0;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];\n" : "=r"(now) : "l"(count) : "memory");
  return now;
}

/// One thread waits until the count is at least `least`; accesses before the count was raised are
/// then visible to it, and after a barrier to its block. kPause: nanoseconds between two polls.
template <int kPause = 0>
__device__ void await_at_least(const unsigned* count, unsigned least) {
  while (peek_count(count) < least) {
    if constexpr (kPause > 0) __nanosleep(kPause);
  }
  fence_device();  // only once, because it empties the cache of the multiprocessor
}

__device__ inline void raise_behind_barrier(unsigned* count) {
  fence_device();
  atomicAdd(count, 1u);
}

/// Raises a count by one after all accesses and copies of the group of threads.
template <class Threads>
__device__ void raise_count(unsigned* count) {
  order_all_before_copies();
  Threads::sync();
  if (Threads::thread() == 0) raise_behind_barrier(count);
}

/// All threads of the group wait until the count is at least `least`.
template <class Threads>
__device__ void await_count(const unsigned* count, unsigned least) {
  if (Threads::thread() == 0) await_at_least(count, least);
  Threads::sync();
  order_all_before_copies();
}

}  // namespace apsp::kernels::cuda
