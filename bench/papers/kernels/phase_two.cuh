// Katz 2008 §4.1 and Lee, phase 2: the blocks that share a row (grid row 0) or column (grid row 1)
// with the one on the diagonal, which is skipped. Two blocks in shared memory, one thread a value.
#pragma once

#include <cstdint>

#include "operation.cuh"

namespace apsp::baselines {

template <class T, int kBlock>
__global__ void phase_two_kernel(T* matrix, std::int64_t side, std::int64_t pivot) {
  __shared__ T primary[kBlock][kBlock];
  __shared__ T current[kBlock][kBlock];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t block = blockIdx.x + (blockIdx.x >= pivot ? 1 : 0);
  const bool in_row = blockIdx.y == 0;
  const std::int64_t row = in_row ? pivot : block, column = in_row ? block : pivot;
  T* const mine = matrix + (row * kBlock + y) * side + column * kBlock + x;
  primary[y][x] = matrix[(pivot * kBlock + y) * side + pivot * kBlock + x];
  current[y][x] = *mine;
  __syncthreads();
  for (int k = 0; k < kBlock; ++k) {
    if (in_row) {
      relax(current[y][x], primary[y][k], current[k][x]);
    } else {
      relax(current[y][x], current[y][k], primary[k][x]);
    }
    __syncthreads();
  }
  *mine = current[y][x];
}

}  // namespace apsp::baselines
