// Surveys. A matrix to solve takes two passes at the speed of memory: its rows, then its lower
// triangle compared with the upper one. An operand of a product takes one.
#include "kernels/cuda/survey.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/cuda/cuda_runtime.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::kernels::cuda {
namespace {

using Word64 = unsigned long long;

constexpr int kRowThreads = 256;
constexpr int kSquare = 32;

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

/// One row per block. Bits of magnitudes order as the magnitudes.
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
  __syncthreads();
  if (threadIdx.x != 0) return;
  p.largest[i] = __longlong_as_double(static_cast<long long>(largest));
  if (flags != 0) atomicOr(reinterpret_cast<Word64*>(&p.found->flags), Word64{flags});
  if (bad != 0) atomicMax(reinterpret_cast<Word64*>(&p.found->bad), bad);
  row[i] = S::plus(row[i], S::one());
}

/// Block (x, y) compares a square on or below the diagonal.
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

/// Observations of a thread, without branches, so that loads need not wait for them.
template <class S>
struct OperandSeen {
  using T = typename S::Value;
  static constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  static constexpr bool kMagnitude = kSum && std::is_integral_v<T>;
  bool bad = false, negative = false;
  unsigned largest = 0;

  static __device__ bool is_bad(T value) {
    return static_cast<bool>(static_cast<int>(value != value) |
                             static_cast<int>(S::better(S::zero(), value)));
  }
  __device__ void look_at(T value) {
    bad |= is_bad(value);
    if constexpr (kSum) {
      const bool path = value != S::zero();
      negative |= static_cast<bool>(static_cast<int>(path) & static_cast<int>(has_minus(value)));
      if constexpr (kMagnitude) {
        const auto bits = static_cast<unsigned>(static_cast<int>(value));
        const unsigned magnitude = has_minus(value) ? 0u - bits : bits;
        largest = max(largest, path ? magnitude : 0u);
      }
    }
  }
};

/// Threads in x share the loads of a row, kInFlight at a time; threads and blocks in y share rows.
/// `Load`: a value, or 16 bytes of them.
constexpr int kInFlight = 4;

template <class S, class Load>
__global__ void __launch_bounds__(kRowThreads) survey_operand_rows(const OperandArguments p) {
  using T = typename S::Value;
  constexpr int kValues = sizeof(Load) / sizeof(T);
  OperandSeen<S> seen;
  Word64 bad = 0;
  const std::int64_t loads = p.cols / kValues;
  const std::int64_t first = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const std::int64_t step = gridDim.x * std::int64_t{blockDim.x};
  const std::int64_t rows = gridDim.y * std::int64_t{blockDim.y};
  for (std::int64_t i = blockIdx.y * std::int64_t{blockDim.y} + threadIdx.y; i < p.rows;
       i += rows) {
    const T* const row = static_cast<const T*>(p.matrix) + i * p.stride;
    const Load* const from = reinterpret_cast<const Load*>(row);
    for (std::int64_t j = first; j < loads; j += kInFlight * step) {
      Load held[kInFlight];
#pragma unroll
      for (int f = 0; f < kInFlight; ++f) held[f] = from[j + f * step < loads ? j + f * step : j];
#pragma unroll
      for (int f = 0; f < kInFlight; ++f) {
        T values[kValues];
        memcpy(values, &held[f], sizeof(Load));
#pragma unroll
        for (int v = 0; v < kValues; ++v) seen.look_at(values[v]);
      }
    }
    for (std::int64_t j = loads * kValues + first; j < p.cols; j += step) seen.look_at(row[j]);
    if (seen.bad) {
      std::int64_t j = p.cols - 1;
      while (j > 0 && !OperandSeen<S>::is_bad(row[j])) --j;
      bad = static_cast<Word64>(1 + i * p.cols + j);
      seen.bad = false;
    }
  }
  const bool one = threadIdx.x == 0 && threadIdx.y == 0;
  const bool any_negative = __syncthreads_or(seen.negative) != 0;
  if (one && any_negative) p.found->negative = 1;
  if (bad != 0) atomicMax(reinterpret_cast<Word64*>(&p.found->bad), bad);
  if constexpr (OperandSeen<S>::kMagnitude) {
    __shared__ unsigned of_block;
    if (one) of_block = 0;
    __syncthreads();
    atomicMax(&of_block, seen.largest);
    __syncthreads();
    if (!one) return;
    const long long largest = __double_as_longlong(static_cast<double>(of_block));
    atomicMax(reinterpret_cast<Word64*>(&p.found->largest), static_cast<Word64>(largest));
  }
}

template <class S, class Load>
void launch_operand_loads(cudaStream_t stream, const OperandArguments& p) {
  constexpr std::int64_t kMostBlocks = 4096;
  constexpr std::int64_t kWarp = 32;
  const std::int64_t loads =
      p.cols * std::int64_t{sizeof(typename S::Value)} / static_cast<std::int64_t>(sizeof(Load));
  std::int64_t width = kWarp;
  while (width < kRowThreads && width * kInFlight < loads) width *= 2;
  const std::int64_t height = kRowThreads / width;
  const std::int64_t across = std::clamp(loads / (width * kInFlight), std::int64_t{1}, kMostBlocks);
  const std::int64_t down = std::min((p.rows - 1) / height + 1, kMostBlocks / across);
  survey_operand_rows<S, Load>
      <<<dim3(static_cast<unsigned>(across), static_cast<unsigned>(down)),
         dim3(static_cast<unsigned>(width), static_cast<unsigned>(height)), 0, stream>>>(p);
  check_launch("looking at an operand");
}

template <class S>
void launch_operand(cudaStream_t stream, const OperandSurvey& survey) {
  using T = typename S::Value;
  const OperandArguments p{survey.matrix.data, survey.matrix.rows, survey.matrix.cols,
                           survey.matrix.stride, survey.found};
  if (p.rows == 0 || p.cols == 0) return;
  const std::int64_t apart = p.rows > 1 ? p.stride * std::int64_t{sizeof(T)} : 0;
  const bool aligned = reinterpret_cast<std::uintptr_t>(p.matrix) % sizeof(uint4) == 0 &&
                       apart % std::int64_t{sizeof(uint4)} == 0;
  aligned ? launch_operand_loads<S, uint4>(stream, p) : launch_operand_loads<S, T>(stream, p);
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
