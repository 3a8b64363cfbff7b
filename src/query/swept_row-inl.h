// The loops of swept_row.hpp, compiled once per instruction set (row_sweep.cpp).
#if defined(APSP_QUERY_SWEPT_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_QUERY_SWEPT_ROW_INL_H_
#undef APSP_QUERY_SWEPT_ROW_INL_H_
#else
#define APSP_QUERY_SWEPT_ROW_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "query/row_sweep-inl.h"
#include "query/swept_row.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

/// Values side by side are often of one cell, whose next increment waits for the last one: they are
/// counted in tables of their own, `apart` cells apart.
template <class S>
void count_apart(const typename S::Value* values, std::int64_t cols, const ValueCells& cells,
                 std::int64_t* counts, std::int64_t apart) {
  using T = typename S::Value;
  const auto count = [&](auto cell_of) {
    for (std::int64_t j = 0; j < cols; ++j) {
      const std::int64_t cell = cell_of(values[j]);
      ++counts[(j % kCountTables) * apart + (values[j] == S::zero() ? cells.no_path() : cell)];
    }
  };
  if constexpr (std::is_integral_v<T>) {
    count([&](T value) { return cells.of_integer(static_cast<std::int32_t>(value)); });
  } else if (cells.integral()) {
    count([&](T value) { return cells.of(static_cast<double>(value)); });
  } else {
    count([&](T value) { return cells.of_coarse(value); });
  }
}

template <class S>
Extremes<double> count_row(const void* row, std::int64_t cols, const ValueCells& cells,
                           std::int64_t* counts) {
  if constexpr (S::kKind == Semiring::or_and) {
    return {};
  } else {
    const auto* const values = static_cast<const typename S::Value*>(row);
    const Extremes<typename S::Value> found = range_of<S>(values, cols);
    if (found.least > found.greatest) return {};
    count_apart<S>(values, cols, cells, counts, cells.count());
    return {static_cast<double>(found.least), static_cast<double>(found.greatest)};
  }
}

/// `term(distance)`: what is added. Parts of a row are added up before they reach their column:
/// none of these sums rounds, whatever its order.
template <class S, class Term>
void add_across_slices(const typename S::Value* values, std::int64_t cols, ColumnSums& sums,
                       const Slices& slices, Vertex vertex, Term&& term) {
  constexpr std::int64_t kPiece = 256;
  double rest[kPiece];
  for (std::int64_t first = 0; first < cols; first += kPiece) {
    const std::int64_t count = std::min(kPiece, cols - first);
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) {
      const auto value = values[first + j];
      rest[j] = value == S::zero() ? 0.0 : term(static_cast<double>(value));
    }
    for (int i = 0; i < slices.count; ++i) {
      const Slice slice = i < Slices::kHeld ? slices.held[static_cast<std::size_t>(i)]
                                            : sums.slice(slices.top - i, vertex);
      const bool last = i + 1 == slices.count;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t j = 0; j < count; ++j) {
        const double part = last ? rest[j] : (rest[j] + slice.round) - slice.round;
        sum += part;
        rest[j] -= part;
      }
      *slice.sums += sum;
    }
  }
}

template <class S>
std::uint32_t reached_in(const typename S::Value* values, std::int64_t cols) {
  std::uint32_t reached = 0;
#pragma omp simd reduction(+ : reached)
  for (std::int64_t j = 0; j < cols; ++j) reached += values[j] != S::zero() ? 1u : 0u;
  return reached;
}

/// Any number of slices.
template <class S>
void add_across(const typename S::Value* values, std::int64_t cols, const Extremes<double>& found,
                const ColumnTotals& totals, Vertex vertex) {
  using T = typename S::Value;
  if constexpr (S::kKind != Semiring::or_and) {
    const auto [all, positive] = magnitudes<S>(values, cols, found);
    if constexpr (std::is_integral_v<T>) {
      std::int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t j = 0; j < cols; ++j) sum += values[j] == S::zero() ? 0 : values[j];
      *totals.sum.whole_numbers(vertex).held[0].sums += static_cast<double>(sum);
    } else if (all.least <= all.greatest) {
      const Slices slices =
          totals.sum.slices(all.least, all.greatest, std::numeric_limits<T>::digits, vertex);
      add_across_slices<S>(values, cols, totals.sum, slices, vertex,
                           [](double distance) { return distance; });
    }
    if (S::kKind == Semiring::min_plus && positive.least <= positive.greatest) {
      const Slices slices = totals.harmonic.slices(1 / positive.greatest, 1 / positive.least,
                                                   std::numeric_limits<double>::digits, vertex);
      add_across_slices<S>(values, cols, totals.harmonic, slices, vertex,
                           [](double distance) { return distance > 0 ? 1.0 / distance : 0.0; });
    }
  }
}

/// What a row adds to its vertex, of up to three slices: the high, the middle and the low one.
struct Across {
  void add_to(const Slices& slices) const {
    if (slices.count >= 2) *slices.held[0].sums += high;
    if (slices.count == 3) *slices.held[1].sums += middle;
    if (slices.count >= 1) *slices.held[static_cast<std::size_t>(slices.count) - 1].sums += low;
  }
  double high = 0, middle = 0, low = 0;
};

/// Cuts each value once, for its vertex and, with `kDown`, for its lane. `of_sum` and
/// `of_harmonic`: of the lanes, or of any column without `kDown`.
template <class S, int kSum, int kHarmonic, bool kDown>
void add_both_ways(const typename S::Value* values, std::int64_t cols, const Slices& of_sum,
                   const Slices& of_harmonic, std::uint32_t* reached, Across& sum_across,
                   Across& harmonic_across) {
  const HeldSlices<kSum> sum(of_sum);
  const HeldSlices<kHarmonic> harmonic(of_harmonic);
  constexpr bool kWhole = std::is_integral_v<typename S::Value>;
  double s_high = 0, s_middle = 0, s_low = 0, h_high = 0, h_middle = 0, h_low = 0;
#pragma omp simd reduction(+ : s_high, s_middle, s_low, h_high, h_middle, h_low)
  for (std::int64_t j = 0; j < cols; ++j) {
    const auto value = static_cast<double>(values[j]);
    const bool path = kWhole ? values[j] != S::zero() : value != static_cast<double>(S::zero());
    if constexpr (kDown) reached[j] += static_cast<std::uint32_t>(path);
    double rest = path ? value : 0.0;
    if constexpr (kSum >= 2) {
      const double part = (rest + sum.high.round) - sum.high.round;
      s_high += part;
      if constexpr (kDown) sum.high.sums[j] += part;
      rest -= part;
    }
    if constexpr (kSum == 3) {
      const double part = (rest + sum.middle.round) - sum.middle.round;
      s_middle += part;
      if constexpr (kDown) sum.middle.sums[j] += part;
      rest -= part;
    }
    s_low += rest;
    if constexpr (kDown) sum.low.sums[j] += rest;
    if constexpr (kHarmonic > 0) {
      const double reciprocal = 1.0 / value;
      double left = (path & (value > 0)) ? reciprocal : 0.0;
      const double part = (left + harmonic.high.round) - harmonic.high.round;
      h_high += part;
      if constexpr (kDown) harmonic.high.sums[j] += part;
      left -= part;
      if constexpr (kHarmonic == 3) {
        const double next = (left + harmonic.middle.round) - harmonic.middle.round;
        h_middle += next;
        if constexpr (kDown) harmonic.middle.sums[j] += next;
        left -= next;
      }
      h_low += left;
      if constexpr (kDown) harmonic.low.sums[j] += left;
    }
  }
  sum_across = {s_high, s_middle, s_low};
  harmonic_across = {h_high, h_middle, h_low};
}

/// Slices for the values of a row in the columns from `column` on.
template <class S>
std::pair<Slices, Slices> slices_of(const Magnitudes& magnitudes, const ColumnTotals& totals,
                                    std::int64_t column) {
  using T = typename S::Value;
  Slices sum, harmonic;
  const auto& [all, positive] = magnitudes;
  if constexpr (std::is_integral_v<T>) {
    sum = totals.sum.whole_numbers(column);
  } else if (all.least <= all.greatest) {
    sum = totals.sum.slices(all.least, all.greatest, std::numeric_limits<T>::digits, column);
  }
  if (S::kKind == Semiring::min_plus && positive.least <= positive.greatest) {
    harmonic = totals.harmonic.slices(1 / positive.greatest, 1 / positive.least,
                                      std::numeric_limits<double>::digits, column);
  }
  return {sum, harmonic};
}

/// With `down` null: across alone.
template <class S>
void add_row(const void* row, std::int64_t cols, const Extremes<double>& found,
             const ColumnTotals& across, Vertex vertex, const ColumnTotals* down) {
  using T = typename S::Value;
  const auto* const values = static_cast<const T*>(row);
  across.reached[vertex] += reached_in<S>(values, cols);
  if constexpr (S::kKind == Semiring::or_and) {
    if (down == nullptr) return;
    for (std::int64_t j = 0; j < cols; ++j) down->reached[j] += values[j] != S::zero() ? 1u : 0u;
  } else {
    if (found.least > found.greatest) return;
    const Magnitudes sizes = magnitudes<S>(values, cols, found);
    const auto of_vertex = slices_of<S>(sizes, across, vertex);
    const auto& sum = of_vertex.first;
    const auto& harmonic = of_vertex.second;
    const auto of_lanes = down == nullptr ? of_vertex : slices_of<S>(sizes, *down, 0);
    const auto add = [&]<int kSum, int kHarmonic>() {
      if (sum.count != kSum || harmonic.count != kHarmonic) return false;
      Across of_sum, of_harmonic;
      if (down != nullptr) {
        add_both_ways<S, kSum, kHarmonic, true>(values, cols, of_lanes.first, of_lanes.second,
                                                down->reached, of_sum, of_harmonic);
      } else {
        add_both_ways<S, kSum, kHarmonic, false>(values, cols, of_lanes.first, of_lanes.second,
                                                 nullptr, of_sum, of_harmonic);
      }
      of_sum.add_to(sum);
      of_harmonic.add_to(harmonic);
      return true;
    };
    const auto add_with = [&]<int kSum>() {
      if (add.template operator()<kSum, 0>()) return true;
      if constexpr (S::kKind == Semiring::min_plus) {
        return add.template operator()<kSum, 2>() || add.template operator()<kSum, 3>();
      }
      return false;
    };
    if constexpr (std::is_integral_v<T>) {
      if (add_with.template operator()<1>()) return;
    } else {
      if (add_with.template operator()<2>() || add_with.template operator()<3>()) return;
    }
    add_across<S>(values, cols, found, across, vertex);
    if (down != nullptr) add_stretch<S>(values, 0, cols, found, *down);
  }
}

template <class S>
void raise(const void* row, std::int64_t cols, Vertex vertex, void* greatest_, Vertex* farthest) {
  using T = typename S::Value;
  const auto* const values = static_cast<const T*>(row);
  auto* const greatest = static_cast<T*>(greatest_);
#pragma omp simd
  for (std::int64_t j = 0; j < cols; ++j) {
    const T value = values[j];
    const bool equal = (value == greatest[j]) & (vertex < farthest[j]);
    const bool raised = (value != S::zero()) & ((value > greatest[j]) | equal);
    greatest[j] = raised ? value : greatest[j];
    farthest[j] = raised ? vertex : farthest[j];
  }
}

template <class S>
Vertex first_at(const void* row, std::int64_t cols, double value, const Vertex* sources) {
  const auto* const values = static_cast<const typename S::Value*>(row);
  const auto looked_for = static_cast<typename S::Value>(value);
  Vertex first = kNoVertex;
#pragma omp simd reduction(min : first)
  for (std::int64_t j = 0; j < cols; ++j) {
    const Vertex source = values[j] == looked_for ? sources[j] : kNoVertex;
    first = source < first ? source : first;
  }
  return first;
}

template <class S>
SweptRow swept_row_operations() {
  using T = typename S::Value;
  return {.count = &count_row<S>,
          .add = &add_row<S>,
          .raise = &raise<S>,
          .first_at = &first_at<S>,
          .greatest_at =
              [](const void* greatest, std::int64_t i) {
                return static_cast<double>(static_cast<const T*>(greatest)[i]);
              },
          .begin =
              [](void* greatest, std::int64_t cols) {
                std::fill_n(static_cast<T*>(greatest), cols, std::numeric_limits<T>::lowest());
              },
          .copy_without =
              [](const void* values, std::int64_t cols, std::int64_t left_out, void* copy) {
                std::copy_n(static_cast<const T*>(values), cols, static_cast<T*>(copy));
                static_cast<T*>(copy)[left_out] = S::zero();
              }};
}

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // APSP_QUERY_SWEPT_ROW_INL_H_
