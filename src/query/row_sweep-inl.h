// The loops of a row sweep, compiled once per instruction set (row_sweep.cpp).
#if defined(APSP_QUERY_ROW_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_QUERY_ROW_SWEEP_INL_H_
#undef APSP_QUERY_ROW_SWEEP_INL_H_
#else
#define APSP_QUERY_ROW_SWEEP_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "query/row_sweep.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

/// `values`: [cols]. S: the semiring with its value type.
template <class S>
Range<typename S::Value> range_of(const typename S::Value* values, std::int64_t cols) {
  using T = typename S::Value;
  constexpr std::int64_t kLanes = 16;  // a reduction of floats would not vectorise by itself
  T least[kLanes];
  T greatest[kLanes];
  std::fill_n(least, kLanes, Range<T>{}.least);
  std::fill_n(greatest, kLanes, Range<T>{}.greatest);
  const auto take = [&](std::int64_t lane, T value) {
    const T low = value == S::zero() ? Range<T>{}.least : value;
    const T high = value == S::zero() ? Range<T>{}.greatest : value;
    least[lane] = low < least[lane] ? low : least[lane];
    greatest[lane] = high > greatest[lane] ? high : greatest[lane];
  };
  std::int64_t j = 0;
  for (; j + kLanes <= cols; j += kLanes) {
#pragma omp simd
    for (std::int64_t lane = 0; lane < kLanes; ++lane) take(lane, values[j + lane]);
  }
  for (; j < cols; ++j) take(0, values[j]);
  return {*std::min_element(least, least + kLanes), *std::max_element(greatest, greatest + kLanes)};
}

template <class S>
void add_to_columns(const typename S::Value* values, std::int64_t cols,
                    const ColumnTotals& totals) {
  double* const sum = totals.sum;
  double* const harmonic = totals.harmonic;
  std::uint32_t* const reached = totals.reached;
#pragma omp simd
  for (std::int64_t j = 0; j < cols; ++j) {
    const bool path = values[j] != S::zero();
    const double distance = path ? static_cast<double>(values[j]) : 0.0;
    reached[j] += path ? 1u : 0u;
    sum[j] += distance;
    if constexpr (S::kKind == Semiring::min_plus) {
      const double reciprocal = 1.0 / distance;
      harmonic[j] += distance > 0 ? reciprocal : 0.0;
    }
  }
}

/// `counts`: [cells.count()]. The u16 "no path", which lies outside of all distances, is counted as
/// the integer that it is.
template <class S>
void count_cells(const typename S::Value* values, std::int64_t cols, const ValueCells& cells,
                 std::int64_t* counts) {
  using T = typename S::Value;
  const auto count = [&](auto cell_of) {
    for (std::int64_t j = 0; j < cols; ++j) {
      const std::int64_t cell = cell_of(values[j]);
      ++counts[values[j] == S::zero() ? cells.no_path() : cell];
    }
  };
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    std::int64_t* const of_integers = counts + cells.of_integer(0);
    for (std::int64_t j = 0; j < cols; ++j) ++of_integers[values[j]];
  } else if constexpr (std::is_integral_v<T>) {
    count([&](T value) { return cells.of_integer(value); });
  } else if (cells.integral()) {
    count([&](T value) { return cells.of(static_cast<double>(value)); });
  } else {
    count([&](T value) { return cells.of_coarse(value); });
  }
}

/// A `RowSweep`.
template <class S>
Range<double> sweep_row(const void* row, std::int64_t cols, const ColumnTotals& totals,
                        const ValueCells& cells, std::int64_t* counts) {
  const auto* const values = static_cast<const typename S::Value*>(row);
  if constexpr (S::kKind == Semiring::or_and) {
    for (std::int64_t j = 0; j < cols; ++j) totals.reached[j] += values[j] != S::zero() ? 1u : 0u;
    return {};
  } else {
    const Range<typename S::Value> found = range_of<S>(values, cols);
    add_to_columns<S>(values, cols, totals);
    count_cells<S>(values, cols, cells, counts);
    if (found.least > found.greatest) return {};
    return {static_cast<double>(found.least), static_cast<double>(found.greatest)};
  }
}

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // APSP_QUERY_ROW_SWEEP_INL_H_
