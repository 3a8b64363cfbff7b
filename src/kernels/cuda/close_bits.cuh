// Warshall's closure of one tile of bits in shared memory: D ← D*, a thread a row.
//
// In blocks of 32 pivots, whose corner is one word a row: one warp closes the corner by shuffles;
// R ← R ∪ corner ⊗ R for the pivots' rows, a word a thread; C ← C ∪ C ⊗ corner for the word that
// the pivots are in each row; then every thread unites with its row those of R that its word names.
#pragma once

#include <cstdint>

namespace apsp::kernels::cuda::bits {

inline constexpr int kCloseSide = 512;
inline constexpr int kCloseWords = kCloseSide / 32;

struct CloseBuffers {
  std::uint32_t d[kCloseSide][kCloseWords + 1];  // neighbouring rows begin in other banks
  alignas(16) std::uint32_t rows[32][kCloseWords];
  std::uint32_t corner[32];
};

/// word ∪ the words of `others` that its bits name.
template <class F>
__device__ std::uint32_t united_with(std::uint32_t word, std::uint32_t named, F&& others) {
#pragma unroll
  for (int k = 0; k < 32; ++k) word |= (named >> k & 1) != 0 ? others(k) : 0u;
  return word;
}

/// The closure of 32 rows of 32 bits, a lane a row.
__device__ inline std::uint32_t close_corner(std::uint32_t word) {
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const std::uint32_t pivot = __shfl_sync(0xffffffffu, word, k);
    if ((word >> k & 1) != 0) word |= pivot;
  }
  return word;
}

__device__ inline void unite_rows(CloseBuffers& b, int row, std::uint32_t named) {
  if (named == 0) return;
  std::uint32_t mine[kCloseWords];
#pragma unroll
  for (int w = 0; w < kCloseWords; ++w) mine[w] = b.d[row][w];
#pragma unroll 4
  for (int k = 0; k < 32; ++k) {
    const std::uint32_t all = 0u - (named >> k & 1);
#pragma unroll
    for (int w = 0; w < kCloseWords; w += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(&b.rows[k][w]);
      mine[w] |= all & four.x;
      mine[w + 1] |= all & four.y;
      mine[w + 2] |= all & four.z;
      mine[w + 3] |= all & four.w;
    }
  }
#pragma unroll
  for (int w = 0; w < kCloseWords; ++w) b.d[row][w] = mine[w];
}

/// One block of as many threads as there are rows, in whole warps.
__global__ void __launch_bounds__(kCloseSide)
    close_kernel(std::uint32_t* d, std::int64_t stride, int side, int words) {
  __shared__ CloseBuffers b;
  const int row = static_cast<int>(threadIdx.x), warp = row / 32, lane = row % 32;
#pragma unroll
  for (int w = 0; w < kCloseWords; ++w) {
    b.d[row][w] = row < side && w < words ? d[row * stride + w] : 0;
  }
  for (int block = 0; block < words; ++block) {
    if (warp == block) b.corner[lane] = close_corner(b.d[row][block]);
    __syncthreads();
    // As many warps as words: warp w has word w of the pivots' rows.
    const int first = block * 32;
    b.rows[lane][warp] = united_with(b.d[first + lane][warp], b.corner[lane],
                                     [&](int k) { return b.d[first + k][warp]; });
    const std::uint32_t raw = b.d[row][block];
    const std::uint32_t named = united_with(raw, raw, [&](int k) { return b.corner[k]; });
    __syncthreads();
    unite_rows(b, row, named);
    __syncthreads();
  }
  if (row >= side) return;
  for (int w = 0; w < words; ++w) d[row * stride + w] = b.d[row][w];
}

}  // namespace apsp::kernels::cuda::bits
