// Reducing and restoring stream the matrix once: 8 or 16 bytes a value, some twenty additions in
// double precision. A pass of Bellman and Ford reads the rows that changed once. Each block takes
// 256 columns and 512 rows and keeps the lightest walk of each column in registers; a second kernel
// picks the lightest of all blocks. So no 128-bit atomics are needed, and results do not depend on
// the order of blocks.
#include "kernels/cuda/potentials.hpp"

#include <algorithm>

#include "kernels/cuda/cuda_error.hpp"

namespace apsp::kernels::cuda {
namespace {

using base::PathSum;
using base::PathUnit;

constexpr int kThreads = 256;
constexpr std::int64_t kRowsABlock = 512;
constexpr std::int64_t kMostRowBlocks = 65535;  // a grid's second extent

/// The lightest walk into a column that ends with an arc from some rows.
struct Walk {
  PathSum sum;
  std::int32_t from;  // −1: none is lighter than what the column had
};

template <class T, class F>
__global__ void update_kernel(T* values, std::int64_t rows, std::int64_t cols, std::int64_t stride,
                              const Potential* of_rows, const Potential* of_columns, F value_of) {
  const std::int64_t j = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (j >= cols) return;
  const Potential column = of_columns[j];
  for (std::int64_t i = blockIdx.y; i < rows; i += gridDim.y) {
    T& value = values[i * stride + j];
    value = value_of(value, of_rows[i], column);
  }
}

template <class T, class F>
void launch_update(cudaStream_t stream, Tile matrix, const Potential* rows,
                   const Potential* columns, F value_of) {
  if (matrix.rows == 0 || matrix.cols == 0) return;
  const dim3 blocks(static_cast<unsigned>((matrix.cols + kThreads - 1) / kThreads),
                    static_cast<unsigned>(std::min(matrix.rows, kMostRowBlocks)));
  update_kernel<<<blocks, kThreads, 0, stream>>>(static_cast<T*>(matrix.data), matrix.rows,
                                                 matrix.cols, matrix.stride, rows, columns,
                                                 value_of);
  check_launch("adding potentials");
}

template <class T>
__global__ void relax_kernel(const T* weights, std::int64_t n, std::int64_t stride, PathUnit unit,
                             const PathSum* h, const std::uint8_t* changed, Walk* walks) {
  __shared__ PathSum sums[kRowsABlock];
  __shared__ std::uint8_t taken[kRowsABlock];
  const std::int64_t first = blockIdx.y * kRowsABlock;
  const std::int64_t rows = n - first < kRowsABlock ? n - first : kRowsABlock;
  for (std::int64_t r = threadIdx.x; r < rows; r += kThreads) {
    taken[r] = changed[first + r];
    sums[r] = h[first + r];
  }
  __syncthreads();
  const std::int64_t j = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (j >= n) return;
  Walk best{h[j], -1};
  for (std::int64_t r = 0; r < rows; ++r) {
    if (taken[r] == 0) continue;
    const double weight = weights[(first + r) * stride + j];
    if (weight > kLargestFinite) continue;
    const PathSum sum = sums[r] + base::relaxed_weight(weight, unit);
    if (sum < best.sum) best = {sum, static_cast<std::int32_t>(first + r)};
  }
  walks[blockIdx.y * n + j] = best;
}

__global__ void choose_kernel(const Walk* walks, std::int64_t n, std::int64_t row_blocks,
                              PotentialSearch search) {
  const std::int64_t j = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (j >= n) return;
  Walk best{search.h[j], -1};
  for (std::int64_t b = 0; b < row_blocks; ++b) {
    const Walk walk = walks[b * n + j];
    if (walk.from >= 0 && walk.sum < best.sum) best = walk;
  }
  search.changed[j] = best.from >= 0;
  if (best.from < 0) return;
  search.h[j] = best.sum;
  search.predecessor[j] = best.from;
  atomicAdd(reinterpret_cast<unsigned long long*>(search.lowered), 1ull);
}

std::int64_t row_blocks(std::int64_t n) { return (n + kRowsABlock - 1) / kRowsABlock; }

template <class T>
void launch_pass(cudaStream_t stream, ConstTile weights, const PathUnit& unit,
                 const PotentialSearch& search) {
  const std::int64_t n = weights.rows;
  check(cudaMemsetAsync(search.lowered, 0, sizeof *search.lowered, stream), "clearing");
  if (n == 0) return;
  auto* const walks = reinterpret_cast<Walk*>(search.scratch);
  const auto columns = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  relax_kernel<<<dim3(columns, static_cast<unsigned>(row_blocks(n))), kThreads, 0, stream>>>(
      static_cast<const T*>(weights.data), n, weights.stride, unit, search.h, search.changed,
      walks);
  check_launch("relaxing potentials");
  choose_kernel<<<columns, kThreads, 0, stream>>>(walks, n, row_blocks(n), search);
  check_launch("choosing potentials");
}

struct Reduced {
  template <class T>
  __device__ T operator()(T w, Potential row, Potential column) const {
    return reduced(w, row, column);
  }
};

struct Restored {
  template <class T>
  __device__ T operator()(T d, Potential row, Potential column) const {
    return restored(d, row, column);
  }
};

}  // namespace

void launch_reduce(cudaStream_t stream, Tile matrix, int value_size, const Potential* rows,
                   const Potential* columns) {
  value_size == 4 ? launch_update<float>(stream, matrix, rows, columns, Reduced{})
                  : launch_update<double>(stream, matrix, rows, columns, Reduced{});
}

void launch_restore(cudaStream_t stream, Tile matrix, int value_size, const Potential* rows,
                    const Potential* columns) {
  value_size == 4 ? launch_update<float>(stream, matrix, rows, columns, Restored{})
                  : launch_update<double>(stream, matrix, rows, columns, Restored{});
}

void launch_relaxation(cudaStream_t stream, ConstTile weights, int value_size, const PathUnit& unit,
                       const PotentialSearch& search) {
  value_size == 4 ? launch_pass<float>(stream, weights, unit, search)
                  : launch_pass<double>(stream, weights, unit, search);
}

std::int64_t relaxation_bytes(std::int64_t n) {
  return row_blocks(n) * n * static_cast<std::int64_t>(sizeof(Walk));
}

}  // namespace apsp::kernels::cuda
