#include "kernels/cuda/launches.hpp"

#include <cstdint>

#include "kernels/cuda/cuda_error.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kMirrorSide = 32;

/// to(c, r) ← from(r, c) for the block of 32 × 32 values of `from` [rows, cols] that begins at
/// (row, col).
template <class Word>
__device__ void transpose_block(Word* to, std::int64_t to_stride, const Word* from,
                                std::int64_t from_stride, std::int64_t rows, std::int64_t cols,
                                std::int64_t row, std::int64_t col) {
  __shared__ Word part[kMirrorSide][kMirrorSide + 1];
  for (int y = static_cast<int>(threadIdx.y); y < kMirrorSide; y += static_cast<int>(blockDim.y)) {
    const std::int64_t r = row + y, c = col + threadIdx.x;
    if (r < rows && c < cols) part[y][threadIdx.x] = from[r * from_stride + c];
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < kMirrorSide; y += static_cast<int>(blockDim.y)) {
    const std::int64_t c = col + y, r = row + threadIdx.x;
    if (r < rows && c < cols) to[c * to_stride + r] = part[threadIdx.x][y];
  }
}

template <class Word>
__global__ void mirror_kernel(Word* matrix, std::int64_t n, std::int64_t stride,
                              std::int64_t tile) {
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(kMirrorSide);  // of the source
  const std::int64_t col = blockIdx.x * static_cast<std::int64_t>(kMirrorSide);
  if (row / tile <= col / tile) return;  // tiles are multiples of the block's side
  transpose_block(matrix, stride, matrix, stride, n, n, row, col);
}

template <class Word>
__global__ void transpose_kernel(Word* to, std::int64_t to_stride, const Word* from,
                                 std::int64_t from_stride, std::int64_t rows, std::int64_t cols) {
  transpose_block(to, to_stride, from, from_stride, rows, cols,
                  blockIdx.y * static_cast<std::int64_t>(kMirrorSide),
                  blockIdx.x * static_cast<std::int64_t>(kMirrorSide));
}

unsigned blocks_of(std::int64_t values) {
  return static_cast<unsigned>((values + kMirrorSide - 1) / kMirrorSide);
}

template <class Word>
void launch(cudaStream_t stream, View matrix, std::int64_t tile) {
  const unsigned blocks = blocks_of(matrix.rows);
  if (blocks == 0) return;
  mirror_kernel<<<dim3(blocks, blocks), dim3(kMirrorSide, 8), 0, stream>>>(
      static_cast<Word*>(matrix.data), matrix.rows, matrix.stride, tile);
  check_launch("mirroring a matrix");
}

template <class Word>
void launch(cudaStream_t stream, View to, ConstView from) {
  if (from.rows == 0 || from.cols == 0) return;
  transpose_kernel<<<dim3(blocks_of(from.cols), blocks_of(from.rows)), dim3(kMirrorSide, 8), 0,
                     stream>>>(static_cast<Word*>(to.data), to.stride,
                               static_cast<const Word*>(from.data), from.stride, from.rows,
                               from.cols);
  check_launch("transposing a matrix");
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

void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size) {
  switch (value_size) {
    case 2:
      return launch<std::uint16_t>(stream, to, from);
    case 4:
      return launch<std::uint32_t>(stream, to, from);
    default:
      return launch<std::uint64_t>(stream, to, from);
  }
}

}  // namespace apsp::kernels::cuda
