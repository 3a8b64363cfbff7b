// Threads that wait for each other: some of a block, and blocks that read each other's shared
// memory (clusters, since compute capability 9.0).
#pragma once

namespace apsp::kernels::cuda {

/// Waits for kThreads neighbouring threads of the block, which all name one of its barriers, 1
/// … 15.
template <int kThreads>
__device__ void sync_some(int barrier) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(barrier), "n"(kThreads) : "memory");
}

/// Waits for all threads of the cluster; their accesses to memory come before those that follow.
__device__ inline void await_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;\n" ::
          : "memory");
#endif
}
/// The same variable in the shared memory of the cluster's block `rank`.
template <class T>
__device__ const T* in_block(const T* shared, int rank) {
  const T* there = shared;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mapa.u64 %0, %1, %2;\n" : "=l"(there) : "l"(shared), "r"(rank));
#endif
  return there;
}

}  // namespace apsp::kernels::cuda
