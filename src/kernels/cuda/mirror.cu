// Transposes squares of 32 × 32 values in shared memory, so that both sides access whole sectors.
#include "kernels/cuda/mirror.hpp"

#include <cstdint>

#include "kernels/cuda/cuda_runtime.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kMirrorSide = 32;

template <class Word_>
struct AsItIs {
  using Word = Word_;
  using Restored = Word;
  static __device__ Word restored(Word value) { return value; }
};
template <class T>
struct Negated {
  using Word = T;
  using Restored = T;
  static __device__ T restored(T value) { return listed_value(Semiring::max_min, value); }
};
/// Gathered rows of `ListedForm::whole`.
struct Widened {
  using Word = std::uint32_t;
  using Restored = double;
  static __device__ double restored(Word word) { return of_whole_listed(word); }
};

/// to(c, r) ← from(r)[c] for the block of 32 × 32 values of [rows, cols] that begins at (row, col).
template <class Form, class Word = typename Form::Word, class From>
__device__ void transpose_block(typename Form::Restored* to, std::int64_t to_stride,
                                const From& from, std::int64_t rows, std::int64_t cols,
                                std::int64_t row, std::int64_t col) {
  __shared__ Word part[kMirrorSide][kMirrorSide + 1];
  for (int y = static_cast<int>(threadIdx.y); y < kMirrorSide; y += static_cast<int>(blockDim.y)) {
    const std::int64_t r = row + y, c = col + threadIdx.x;
    if (r < rows && c < cols) part[y][threadIdx.x] = from(r)[c];
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < kMirrorSide; y += static_cast<int>(blockDim.y)) {
    const std::int64_t c = col + y, r = row + threadIdx.x;
    if (r < rows && c < cols) to[c * to_stride + r] = Form::restored(part[threadIdx.x][y]);
  }
}

template <class Word>
__global__ void mirror_kernel(Word* matrix, std::int64_t n, std::int64_t stride,
                              std::int64_t tile) {
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(kMirrorSide);
  const std::int64_t col = blockIdx.x * static_cast<std::int64_t>(kMirrorSide);
  if (row / tile <= col / tile) return;  // tiles are multiples of the block's side
  const auto from = [=](std::int64_t r) { return matrix + r * stride; };
  transpose_block<AsItIs<Word>>(matrix, stride, from, n, n, row, col);
}

template <class Word>
__global__ void transpose_kernel(Word* to, std::int64_t to_stride, const Word* from,
                                 std::int64_t from_stride, std::int64_t rows, std::int64_t cols) {
  const auto row_of = [=](std::int64_t r) { return from + r * from_stride; };
  transpose_block<AsItIs<Word>>(to, to_stride, row_of, rows, cols,
                                blockIdx.y * static_cast<std::int64_t>(kMirrorSide),
                                blockIdx.x * static_cast<std::int64_t>(kMirrorSide));
}

template <class Form, class Word = typename Form::Word>
__global__ void transpose_rows_kernel(typename Form::Restored* out, std::int64_t out_stride,
                                      const Word* x, std::int64_t stride, std::int64_t listed,
                                      std::int64_t cols, const std::int32_t* list) {
  const auto row_of = [=](std::int64_t i) { return x + list[i] * stride; };
  transpose_block<Form>(out, out_stride, row_of, listed, cols,
                        blockIdx.x * static_cast<std::int64_t>(kMirrorSide),
                        blockIdx.y * static_cast<std::int64_t>(kMirrorSide));
}

unsigned blocks_of(std::int64_t values) {
  return static_cast<unsigned>((values + kMirrorSide - 1) / kMirrorSide);
}

constexpr dim3 kMirrorThreads(kMirrorSide, 8);

template <class F>
void with_word(int value_size, F&& f) {
  if (value_size == 2) return f(std::uint16_t{});
  value_size == 4 ? f(std::uint32_t{}) : f(std::uint64_t{});
}

template <class Form>
void launch_rows(cudaStream_t stream, const TransposedRows& t) {
  using Word = typename Form::Word;
  if (t.out.rows == 0 || t.out.cols == 0) return;
  const dim3 blocks(blocks_of(t.out.cols), blocks_of(t.x.cols));
  transpose_rows_kernel<Form><<<blocks, kMirrorThreads, 0, stream>>>(
      static_cast<typename Form::Restored*>(t.out.data), t.out.stride,
      static_cast<const Word*>(t.x.data), t.x.stride, t.out.cols, t.x.cols, t.list);
  check_launch("transposing rows");
}

}  // namespace

void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile) {
  const unsigned blocks = blocks_of(matrix.rows);
  if (blocks == 0) return;
  with_word(value_size, [&]<class Word>(Word) {
    mirror_kernel<<<dim3(blocks, blocks), kMirrorThreads, 0, stream>>>(
        static_cast<Word*>(matrix.data), matrix.rows, matrix.stride, tile);
  });
  check_launch("mirroring a matrix");
}

void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size) {
  if (from.rows == 0 || from.cols == 0) return;
  const dim3 blocks(blocks_of(from.cols), blocks_of(from.rows));
  with_word(value_size, [&]<class Word>(Word) {
    transpose_kernel<<<blocks, kMirrorThreads, 0, stream>>>(static_cast<Word*>(to.data), to.stride,
                                                            static_cast<const Word*>(from.data),
                                                            from.stride, from.rows, from.cols);
  });
  check_launch("transposing a matrix");
}

void launch_transposed_rows(cudaStream_t stream, const DeviceOperations& of,
                            const TransposedRows& rows) {
  if (of.listed_form == ListedForm::whole) return launch_rows<Widened>(stream, rows);
  semiring::dispatch(of.semiring, of.type, [&]<class S>() {
    using T = typename S::Value;
    if constexpr (listed_negated(S::kKind)) {
      launch_rows<Negated<T>>(stream, rows);
    } else {
      with_word(sizeof(T), [&]<class Word>(Word) { launch_rows<AsItIs<Word>>(stream, rows); });
    }
  });
}

}  // namespace apsp::kernels::cuda
