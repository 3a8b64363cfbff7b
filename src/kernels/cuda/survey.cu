// Two passes over the matrix, each at the speed of memory: its rows, then its lower triangle beside
// its upper one.
#include "kernels/cuda/device_operations.hpp"

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

}  // namespace apsp::kernels::cuda
