// Katz 2008 §4.1 and Lee, phase 1: Floyd-Warshall inside the block on the diagonal, in shared
// memory, one thread a value, one block of threads.
#pragma once

#include <cstdint>

#include "operation.cuh"

namespace apsp::baselines {

template <class T, int kBlock>
__global__ void phase_one_kernel(T* matrix, std::int64_t side, std::int64_t pivot) {
  __shared__ T primary[kBlock][kBlock];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  T* const mine = matrix + (pivot * kBlock + y) * side + pivot * kBlock + x;
  primary[y][x] = *mine;
  __syncthreads();
  for (int k = 0; k < kBlock; ++k) {
    // Row and column k do not change in step k.
    relax(primary[y][x], primary[y][k], primary[k][x]);
    __syncthreads();
  }
  *mine = primary[y][x];
}

}  // namespace apsp::baselines
