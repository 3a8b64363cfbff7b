// A matrix to solve takes two passes, each at the speed of memory: its rows, then its lower
// triangle beside its upper one. An operand of a product takes one.
#include "kernels/cuda/device_operations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

using Word64 = unsigned long long;

constexpr int kRowThreads = 256;
constexpr int kSquare = 32;  // values of a side of a block

struct SurveyArguments {
  void* matrix;
  std::int64_t n, stride;
  double* largest;
  SurveyFound* found;
};

template <class T>
__device__ bool is_whole(T value) {
  if constexpr (std::is_integral_v<T>) {
    return true;
  } else {
    return fabs(static_cast<double>(value)) <= 0x1p53 && value == trunc(value);
  }
}

/// Block: a row. Magnitudes are positive, so that their bits are in order.
template <class S>
__global__ void __launch_bounds__(kRowThreads) survey_rows(const SurveyArguments p) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  __shared__ Word64 largest, bad;
  __shared__ unsigned flags;
  if (threadIdx.x == 0) {
    largest = bad = 0;
    flags = 0;
  }
  __syncthreads();
  const std::int64_t i = blockIdx.x;
  T* const row = static_cast<T*>(p.matrix) + i * p.stride;
  unsigned own_flags = 0;
  Word64 own_bad = 0;
  double own_largest = 0;
  for (std::int64_t j = threadIdx.x; j < p.n; j += kRowThreads) {
    const T value = row[j];
    if (value != value || S::better(S::zero(), value)) {
      own_bad = static_cast<Word64>(1 + i * p.n + j);
      continue;
    }
    if (value == S::zero() || !kSum) continue;
    const auto exact = static_cast<double>(value);
    own_flags |= (exact < 0 ? kHasNegative : 0u) | (exact > 0 ? kHasPositive : 0u) |
                 (is_whole(value) ? 0u : kHasFraction);
    own_largest = fmax(own_largest, fabs(exact));
  }
  atomicOr(&flags, own_flags);
  atomicMax(&bad, own_bad);
  atomicMax(&largest, static_cast<Word64>(__double_as_longlong(own_largest)));
  __syncthreads();  // all have read their values
  if (threadIdx.x != 0) return;
  p.largest[i] = __longlong_as_double(static_cast<long long>(largest));
  if (flags != 0) atomicOr(reinterpret_cast<Word64*>(&p.found->flags), Word64{flags});
  if (bad != 0) atomicMax(reinterpret_cast<Word64*>(&p.found->bad), bad);
  row[i] = S::plus(row[i], S::one());
}

/// Block (x, y): a square below the diagonal, or on it.
template <class T>
__global__ void compare_mirrored(const SurveyArguments p) {
  __shared__ T above[kSquare][kSquare + 1];
  const std::int64_t first_row = blockIdx.y * static_cast<std::int64_t>(kSquare);
  const std::int64_t first_col = blockIdx.x * static_cast<std::int64_t>(kSquare);
  __shared__ bool needless;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    needless = first_row < first_col || (p.found->flags & kHasAsymmetry) != 0;
  }
  __syncthreads();
  if (needless) return;
  const T* const matrix = static_cast<const T*>(p.matrix);
  const int lane = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.y);
  for (int y = static_cast<int>(threadIdx.y); y < kSquare; y += step) {
    const std::int64_t row = first_col + y, col = first_row + lane;
    if (row < p.n && col < p.n) above[y][lane] = matrix[row * p.stride + col];
  }
  __syncthreads();
  bool differs = false;
  for (int y = static_cast<int>(threadIdx.y); y < kSquare; y += step) {
    const std::int64_t row = first_row + y, col = first_col + lane;
    if (row < p.n && col < p.n) differs |= matrix[row * p.stride + col] != above[lane][y];
  }
  if (differs) atomicOr(reinterpret_cast<Word64*>(&p.found->flags), Word64{kHasAsymmetry});
}

/// Blocks share out the values, row after row; `cols` is a row of them.
struct OperandArguments {
  const void* matrix;
  std::int64_t rows, cols, stride;
  OperandFound* found;
};

template <class T>
__device__ bool has_minus(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return signbit(value);
  } else {
    return std::is_signed_v<T> && value < 0;
  }
}

/// Block (x: a part of the columns, y: every so many rows).
template <class S>
__global__ void __launch_bounds__(kRowThreads) survey_operand_rows(const OperandArguments p) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  bool negative = false;
  Word64 bad = 0;
  double largest = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kRowThreads;
  for (std::int64_t i = blockIdx.y; i < p.rows; i += gridDim.y) {
    const T* const row = static_cast<const T*>(p.matrix) + i * p.stride;
    for (std::int64_t j = blockIdx.x * std::int64_t{kRowThreads} + threadIdx.x; j < p.cols;
         j += step) {
      const T value = row[j];
      if (value != value || S::better(S::zero(), value)) {
        bad = static_cast<Word64>(1 + i * p.cols + j);
      } else if (kSum && value != S::zero()) {
        negative |= has_minus(value);
        if constexpr (std::is_integral_v<T>) {
          largest = fmax(largest, fabs(static_cast<double>(value)));
        }
      }
    }
  }
  const bool any_negative = __syncthreads_or(negative) != 0;
  if (threadIdx.x == 0 && any_negative) p.found->negative = 1;
  if (bad != 0) atomicMax(reinterpret_cast<Word64*>(&p.found->bad), bad);
  if constexpr (kSum && std::is_integral_v<T>) {
    __shared__ Word64 of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    atomicMax(&of_block, static_cast<Word64>(__double_as_longlong(largest)));
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(reinterpret_cast<Word64*>(&p.found->largest), of_block);
  }
}

template <class S>
void launch_operand(cudaStream_t stream, const OperandSurvey& survey) {
  const OperandArguments p{survey.matrix.data, survey.matrix.rows, survey.matrix.cols,
                           survey.matrix.stride, survey.found};
  if (p.rows == 0 || p.cols == 0) return;
  constexpr std::int64_t kValuesAThread = 8, kMostBlocks = 4096;  // of one launch
  const std::int64_t across =
      std::min((p.cols - 1) / (kValuesAThread * kRowThreads) + 1, kMostBlocks);
  const std::int64_t down = std::min(p.rows, std::max<std::int64_t>(1, kMostBlocks / across));
  survey_operand_rows<S><<<dim3(static_cast<unsigned>(across), static_cast<unsigned>(down)),
                           kRowThreads, 0, stream>>>(p);
  check_launch("looking at an operand");
}

template <class S>
void launch(cudaStream_t stream, const Survey& survey) {
  const SurveyArguments p{survey.matrix.data, survey.matrix.rows, survey.matrix.stride,
                          survey.largest, survey.found};
  if (p.n == 0) return;
  survey_rows<S><<<static_cast<unsigned>(p.n), kRowThreads, 0, stream>>>(p);
  check_launch("looking at a matrix");
  const auto blocks = static_cast<unsigned>((p.n + kSquare - 1) / kSquare);
  compare_mirrored<typename S::Value><<<dim3(blocks, blocks), dim3(kSquare, 8), 0, stream>>>(p);
  check_launch("comparing a matrix with its mirror image");
}

}  // namespace

void launch_survey(cudaStream_t stream, const Survey& survey) {
  semiring::dispatch(survey.semiring, survey.type, [&]<class S>() { launch<S>(stream, survey); });
}

void launch_operand_survey(cudaStream_t stream, const OperandSurvey& survey) {
  semiring::dispatch(survey.semiring, survey.type,
                     [&]<class S>() { launch_operand<S>(stream, survey); });
}

}  // namespace apsp::kernels::cuda
