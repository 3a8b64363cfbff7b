// Katz 2008 §4.1 and Lee: the matrix in square blocks; for each one on the diagonal three phases,
// one launch each.
#include "baseline.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "operation.cuh"

namespace apsp::baselines {
namespace {

/// Phase 1: Floyd-Warshall inside the block on the diagonal, in shared
/// memory, one thread a value, one block of threads.
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

/// Phase 2: the blocks that share a row (grid row 0) or column (grid row 1)
/// with the one on the diagonal, which is skipped. Two blocks in shared memory, one thread a value.
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

/// Phase 3: all other blocks, each from its block in the pivot's row and the
/// one in its column. Three blocks in shared memory, one thread a value, no waiting within the
/// loop. `first`: how many of the other rows of blocks come before those of this launch.
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

/// Phase 3 works on the rows of blocks [begin, end).
template <class T, int kBlock>
void step(T* matrix, std::int64_t side, std::int64_t pivot, std::int64_t begin, std::int64_t end,
          const Mark& mark) {
  const dim3 threads(kBlock, kBlock);
  const auto others = static_cast<unsigned>(side / kBlock - 1);
  const auto launched = [&](int phase) {
    kernels::cuda::check_launch("a phase of the tiled kernels");
    if (mark) mark(phase);
  };
  phase_one_kernel<T, kBlock><<<1, threads>>>(matrix, side, pivot);
  launched(0);
  if (others == 0) return;
  phase_two_kernel<T, kBlock><<<dim3(others, 2), threads>>>(matrix, side, pivot);
  launched(1);
  const std::int64_t first = begin - (pivot < begin ? 1 : 0), after = end - (pivot < end ? 1 : 0);
  if (after == first) return;
  phase_three_kernel<T, kBlock>
      <<<dim3(others, static_cast<unsigned>(after - first)), threads>>>(matrix, side, pivot, first);
  launched(2);
}

}  // namespace

template <class T, int kBlock>
void solve_tiled(T* matrix, std::int64_t side, const Mark& mark) {
  const std::int64_t blocks = side / kBlock;
  for (std::int64_t pivot = 0; pivot < blocks; ++pivot)
    step<T, kBlock>(matrix, side, pivot, 0, blocks, mark);
}

void update_rows(float* matrix, std::int64_t side, int block, std::int64_t pivot,
                 std::int64_t begin, std::int64_t end) {
  const auto run = block == 2    ? step<float, 2>
                   : block == 4  ? step<float, 4>
                   : block == 8  ? step<float, 8>
                   : block == 16 ? step<float, 16>
                   : block == 18 ? step<float, 18>
                                 : step<float, 32>;
  run(matrix, side, pivot, begin, end, {});
}

#define APSP_TILED(T)                                              \
  template void solve_tiled<T, 2>(T*, std::int64_t, const Mark&);  \
  template void solve_tiled<T, 4>(T*, std::int64_t, const Mark&);  \
  template void solve_tiled<T, 8>(T*, std::int64_t, const Mark&);  \
  template void solve_tiled<T, 16>(T*, std::int64_t, const Mark&); \
  template void solve_tiled<T, 18>(T*, std::int64_t, const Mark&); \
  template void solve_tiled<T, 32>(T*, std::int64_t, const Mark&)
APSP_TILED(float);
APSP_TILED(std::int32_t);
APSP_TILED(std::uint8_t);
#undef APSP_TILED

}  // namespace apsp::baselines
