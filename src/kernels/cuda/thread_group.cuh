// A group of neighbouring threads of a block that work together, as a block would.
#pragma once

#include "kernels/cuda/cluster.cuh"

namespace apsp::kernels::cuda {

/// kThreads_ of the kBlock threads of a block. Groups of several sizes must not wait in one block.
template <int kThreads_, int kBlock = kThreads_>
struct ThreadGroup {
  static constexpr int kThreads = kThreads_;

  static __device__ int number() {
    return kThreads == kBlock ? 0 : static_cast<int>(threadIdx.x) / kThreads;
  }
  static __device__ int thread() {
    return kThreads == kBlock ? static_cast<int>(threadIdx.x)
                              : static_cast<int>(threadIdx.x) % kThreads;
  }
  static __device__ void sync() {
    if constexpr (kThreads == kBlock) {
      __syncthreads();
    } else {
      sync_some<kThreads>(1 + number());
    }
  }
};

}  // namespace apsp::kernels::cuda
