#include "support/strict/strict_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "semiring/dispatch.hpp"

namespace apsp::kernels::strict {
namespace {

std::uint64_t flags_of(double value) {
  const bool whole = std::abs(value) <= 0x1p53 && value == std::trunc(value);
  return (value < 0 ? kHasNegative : 0U) | (value > 0 ? kHasPositive : 0U) |
         (whole ? 0U : kHasFraction);
}

template <class S>
void look(const Survey& survey) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  const View& matrix = survey.matrix;
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return static_cast<T*>(matrix.data)[i * matrix.stride + j];
  };
  SurveyFound& found = *survey.found;
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    survey.largest[i] = 0;
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const T value = at(i, j);
      if (value != at(j, i)) found.flags |= kHasAsymmetry;
      if (value != value || S::better(S::zero(), value)) {
        found.bad = static_cast<std::uint64_t>(1 + i * matrix.cols + j);
      } else if (value != S::zero() && kSum) {
        found.flags |= flags_of(static_cast<double>(value));
        survey.largest[i] = std::max(survey.largest[i], std::abs(static_cast<double>(value)));
      }
    }
  }
  for (std::int64_t i = 0; i < matrix.rows; ++i) at(i, i) = S::plus(at(i, i), S::one());
}

template <class S>
void look_at_operand(const OperandSurvey& survey) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  for (std::int64_t i = 0; i < survey.matrix.rows; ++i) {
    for (std::int64_t j = 0; j < survey.matrix.cols; ++j) {
      const T value = static_cast<const T*>(survey.matrix.data)[i * survey.matrix.stride + j];
      if (value != value || S::better(S::zero(), value)) {
        survey.found->bad = static_cast<std::uint64_t>(1 + i * survey.matrix.cols + j);
      } else if (value != S::zero() && kSum) {
        const auto exact = static_cast<double>(value);
        if (std::signbit(exact)) survey.found->negative = 1;
        survey.found->largest = std::max(survey.found->largest, std::abs(exact));
      }
    }
  }
}

/// Returns false, with the matrix unchanged, if it is not for this kernel.
template <class S>
bool close_one(ValueType type, View matrix, std::int32_t* via, bool negative_too) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  const std::int64_t n = matrix.rows;
  std::vector<T> d;
  double longest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    double largest = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      T value = static_cast<const T*>(matrix.data)[i * matrix.stride + j];
      if (value != value || S::better(S::zero(), value)) return false;
      if constexpr (S::kKind == Semiring::or_and) value = value != 0 ? 1 : 0;
      const auto exact = static_cast<double>(value);
      if (kSum && value != S::zero()) {
        if (exact < 0 && !(negative_too && std::is_integral_v<T>)) return false;
        largest = std::max(largest, std::abs(exact));
      }
      d.push_back(i == j ? S::plus(value, S::one()) : value);
    }
    longest += largest;
  }
  if (kSum && longest > largest_distance(type)) return false;
  const auto at = [n](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * n + j);
  };
  std::vector<std::int32_t> last(d.size(), kNoVia);
  for (std::int64_t k = 0; k < n; ++k) {
    if (S::better(d[at(k, k)], S::one())) return false;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const T through = S::times(d[at(i, k)], d[at(k, j)]);
        if (!S::better(through, d[at(i, j)])) continue;
        d[at(i, j)] = through;
        last[at(i, j)] = static_cast<std::int32_t>(k);
      }
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    std::copy_n(&d[at(i, 0)], n, static_cast<T*>(matrix.data) + i * matrix.stride);
  }
  if (via != nullptr) std::copy(last.begin(), last.end(), via);
  return true;
}

}  // namespace

void close_batch(const Access& at, const Operations&, const CallerBatch& batch) {
  const std::int64_t n = batch.n, size = size_of(batch.type);
  at.update_array(batch.left, batch.sign == Sign::any ? batch.count : 0, "left");
  at.write_array(batch.left, batch.count, 1, "left");
  for (std::int64_t i = 0; i < batch.count; ++i) {
    if (batch.sign == Sign::any && batch.left[i] == 0) continue;
    const View matrix{static_cast<std::byte*>(batch.matrices) + i * batch.step * size, n, n,
                      batch.stride};
    at.update(matrix, static_cast<int>(size), "matrix");
    std::int32_t* const via = batch.via == nullptr ? nullptr : batch.via + i * n * n;
    if (via != nullptr) at.write_array(via, n * n, sizeof(std::int32_t), "via");
    batch.left[i] = semiring::dispatch(batch.semiring, batch.type, [&]<class S>() {
      return std::uint8_t{!close_one<S>(batch.type, matrix, via, batch.sign == Sign::any)};
    });
  }
}

void survey_operand(const Access& at, const Operations& operations, const OperandSurvey& survey) {
  require(operations.columns_per_value == 1, "survey_operand: values are bits");
  require(size_of(survey.type) == operations.value_size, "survey_operand: values of another type");
  at.read(survey.matrix, operations.value_size, "operand");
  at.update_array(survey.found, 1, "found");
  semiring::dispatch(survey.semiring, survey.type, [&]<class S>() { look_at_operand<S>(survey); });
}

void survey(const Access& at, const Operations& operations, const Survey& survey) {
  const std::int64_t n = survey.matrix.rows;
  require(survey.matrix.cols == n, "survey: the matrix is not square");
  require(operations.columns_per_value == 1, "survey: values are bits");
  require(size_of(survey.type) == operations.value_size, "survey: values of another type");
  at.update(survey.matrix, operations.value_size, "matrix");
  at.write_array(survey.largest, n, sizeof(double), "largest");
  at.update_array(survey.found, 1, "found");
  semiring::dispatch(survey.semiring, survey.type, [&]<class S>() { look<S>(survey); });
}

}  // namespace apsp::kernels::strict
