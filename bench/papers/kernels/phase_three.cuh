// Katz 2008 §4.1 and Lee, phase 3: all other blocks, each from its block in the pivot's row and the
// one in its column. Three blocks in shared memory, one thread a value, no waiting within the loop.
// `first`: how many of the other rows of blocks come before those of this launch.
#pragma once

#include <cstdint>

#include "operation.cuh"

namespace apsp::baselines {

template <class T, int kBlock>
__global__ void phase_three_kernel(T* matrix, std::int64_t side, std::int64_t pivot,
                                   std::int64_t first) {
  __shared__ T in_row[kBlock][kBlock];
  __shared__ T in_column[kBlock][kBlock];
  __shared__ T current[kBlock][kBlock];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t other = first + blockIdx.y, row = other + (other >= pivot ? 1 : 0);
  const std::int64_t column = blockIdx.x + (blockIdx.x >= pivot ? 1 : 0);
  T* const mine = matrix + (row * kBlock + y) * side + column * kBlock + x;
  in_row[y][x] = matrix[(pivot * kBlock + y) * side + column * kBlock + x];
  in_column[y][x] = matrix[(row * kBlock + y) * side + pivot * kBlock + x];
  current[y][x] = *mine;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kBlock; ++k) {
    relax(current[y][x], in_column[y][k], in_row[k][x]);
  }
  *mine = current[y][x];
}

}  // namespace apsp::baselines
