// Threads that wait for each other: some of a block, and blocks that read each other's shared
// memory (clusters, since compute capability 9.0).
#pragma once

namespace apsp::kernels::cuda {

/// Waits for kThreads neighbouring threads of the block, which all name one of its barriers, 1
/// … 15.
template <int kThreads>
__device__ void sync_some(int barrier) {
  __barrier_sync_count(static_cast<unsigned>(barrier), kThreads);
}

/// Waits for all threads of the cluster; their accesses to memory come before those that follow.
__device__ inline void await_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
#endif
}
/// The same variable in the shared memory of the cluster's block `rank`.
template <class T>
__device__ const T* in_block(const T* shared, int rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return static_cast<const T*>(__cluster_map_shared_rank(shared, static_cast<unsigned>(rank)));
#else
  return shared;
#endif
}

}  // namespace apsp::kernels::cuda
