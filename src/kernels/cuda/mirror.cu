#include "kernels/cuda/mirror.hpp"

#include <cstdint>

#include "kernels/cuda/cuda_error.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kMirrorSide = 32;

/// Blocks of 32 × 32 values; matrix(i, j) ← matrix(j, i) where i / tile < j / tile.
template <class Word>
__global__ void mirror_kernel(Word* matrix, std::int64_t n, std::int64_t stride,
                              std::int64_t tile) {
  __shared__ Word part[kMirrorSide][kMirrorSide + 1];
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(kMirrorSide);  // of the source
  const std::int64_t col = blockIdx.x * static_cast<std::int64_t>(kMirrorSide);
  if (row / tile <= col / tile) return;  // tiles are multiples of the block's side
  for (int y = static_cast<int>(threadIdx.y); y < kMirrorSide; y += static_cast<int>(blockDim.y)) {
    const std::int64_t r = row + y, c = col + threadIdx.x;
    if (r < n && c < n) part[y][threadIdx.x] = matrix[r * stride + c];
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < kMirrorSide; y += static_cast<int>(blockDim.y)) {
    const std::int64_t r = col + y, c = row + threadIdx.x;
    if (r < n && c < n) matrix[r * stride + c] = part[threadIdx.x][y];
  }
}

template <class Word>
void launch(cudaStream_t stream, View matrix, std::int64_t tile) {
  const auto blocks = static_cast<unsigned>((matrix.rows + kMirrorSide - 1) / kMirrorSide);
  if (blocks == 0) return;
  mirror_kernel<<<dim3(blocks, blocks), dim3(kMirrorSide, 8), 0, stream>>>(
      static_cast<Word*>(matrix.data), matrix.rows, matrix.stride, tile);
  check_launch("mirroring a matrix");
}

}  // namespace

void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile) {
  switch (value_size) {
    case 2:
      return launch<std::uint16_t>(stream, matrix, tile);
    case 4:
      return launch<std::uint32_t>(stream, matrix, tile);
    default:
      return launch<std::uint64_t>(stream, matrix, tile);
  }
}

}  // namespace apsp::kernels::cuda
