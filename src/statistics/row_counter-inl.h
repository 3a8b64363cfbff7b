#if defined(APSP_QUERY_ROW_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_QUERY_ROW_SWEEP_INL_H_
#undef APSP_QUERY_ROW_SWEEP_INL_H_
#else
#define APSP_QUERY_ROW_SWEEP_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "statistics/row_counter.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::statistics::HWY_NAMESPACE {

/// NaN appears in sums; without other values the range is −infinity. S: the semiring with its type.
template <class S>
Extremes<typename S::Value> range_of(const typename S::Value* values, std::int64_t cols) {
  using T = typename S::Value;
  constexpr std::int64_t kLanes = 16;  // compilers do not vectorise a reduction of floats
  T least[kLanes];
  T greatest[kLanes];
  std::fill_n(least, kLanes, Extremes<T>{}.least);
  std::fill_n(greatest, kLanes, Extremes<T>{}.greatest);
  const auto take = [&](std::int64_t lane, T value) {
    const T low = value == S::zero() ? Extremes<T>{}.least : value;
    const T high = value == S::zero() ? Extremes<T>{}.greatest : value;
    least[lane] = low < least[lane] ? low : least[lane];
    greatest[lane] = high > greatest[lane] ? high : greatest[lane];
  };
  std::int64_t j = 0;
  for (; j + kLanes <= cols; j += kLanes) {
#pragma omp simd
    for (std::int64_t lane = 0; lane < kLanes; ++lane) take(lane, values[j + lane]);
  }
  for (; j < cols; ++j) take(0, values[j]);
  const Extremes<T> found{*std::min_element(least, least + kLanes),
                          *std::max_element(greatest, greatest + kLanes)};
  if constexpr (std::is_floating_point_v<T>) {
    const bool none = found.least > found.greatest;
    const auto not_a_number = [](T value) { return value != value; };
    constexpr T kNoDistance = -std::numeric_limits<T>::infinity();
    if (none && std::any_of(values, values + cols, not_a_number)) return {kNoDistance, kNoDistance};
  }
  return found;
}

/// Magnitudes of values other than zero and "no path", and of the positive ones.
struct Magnitudes {
  Extremes<double> all;
  Extremes<double> positive;
};

template <class S>
Magnitudes magnitudes(const typename S::Value* values, std::int64_t cols,
                      const Extremes<double>& found) {
  if (found.least > 0) return {found, found};
  constexpr double kNone = Extremes<double>{}.least;
  double least = kNone, least_positive = kNone;
#pragma omp simd reduction(min : least, least_positive)
  for (std::int64_t j = 0; j < cols; ++j) {
    const double value = values[j] == S::zero() ? 0.0 : static_cast<double>(values[j]);
    const double magnitude = value < 0 ? -value : value;
    const double counted = magnitude > 0 ? magnitude : kNone;
    const double positive = value > 0 ? value : kNone;
    least = counted < least ? counted : least;
    least_positive = positive < least_positive ? positive : least_positive;
  }
  const double greatest = std::max(-found.least, found.greatest);
  return {{least, greatest > 0 ? greatest : -kNone}, {least_positive, found.greatest}};
}

/// Up to three slices in registers.
template <int kCount>
struct HeldSlices {
  explicit HeldSlices(const Slices& slices)
      : high(slices.held[0]),
        middle(slices.held[1]),
        low(slices.held[static_cast<std::size_t>(kCount > 0 ? kCount - 1 : 0)]) {}

  void add(std::int64_t j, double value) const {
    if constexpr (kCount >= 2) {
      const double part = (value + high.round) - high.round;
      high.sums[j] += part;
      value -= part;
    }
    if constexpr (kCount == 3) {
      const double part = (value + middle.round) - middle.round;
      middle.sums[j] += part;
      value -= part;
    }
    if constexpr (kCount >= 1) low.sums[j] += value;
  }

  Slice high, middle, low;
};

template <class S, int kSum, int kHarmonic>
void add_to_columns(const typename S::Value* values, std::int64_t cols, const Slices& of_sum,
                    const Slices& of_harmonic, std::uint32_t* reached) {
  const HeldSlices<kSum> sum(of_sum);
  const HeldSlices<kHarmonic> harmonic(of_harmonic);
  constexpr bool kWhole = std::is_integral_v<typename S::Value>;
#pragma omp simd
  for (std::int64_t j = 0; j < cols; ++j) {
    // Compilers vectorise only without a branch and with floats compared as doubles.
    const auto value = static_cast<double>(values[j]);
    const bool path = kWhole ? values[j] != S::zero() : value != static_cast<double>(S::zero());
    reached[j] += static_cast<std::uint32_t>(path);
    sum.add(j, path ? value : 0.0);
    if constexpr (kHarmonic > 0) {
      const double reciprocal = 1.0 / value;
      harmonic.add(j, (path & (value > 0)) ? reciprocal : 0.0);
    }
  }
}

/// Any number of slices. `term(distance)`: the summand.
template <class S, class Term>
void add_to_slices(const typename S::Value* values, std::int64_t first, std::int64_t cols,
                   ColumnSums& sums, const Slices& slices, Term&& term) {
  std::vector<double> rest(static_cast<std::size_t>(cols));
  for (std::size_t j = 0; j < rest.size(); ++j) {
    rest[j] = values[j] == S::zero() ? 0.0 : term(static_cast<double>(values[j]));
  }
  for (int i = 0; i < slices.count; ++i) {
    const Slice slice = sums.slice(slices.top - i, first);
    const bool last = i + 1 == slices.count;
#pragma omp simd
    for (std::size_t j = 0; j < rest.size(); ++j) {
      const double part = last ? rest[j] : (rest[j] + slice.round) - slice.round;
      slice.sums[j] += part;
      rest[j] -= part;
    }
  }
}

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

/// Calls add.operator()<kSum, kHarmonic>(). Returns false if no loop is compiled for them.
template <class S, class Add>
bool with_counts(const Slices& sum, const Slices& harmonic, Add&& add) {
  const auto with = [&]<int kSum>() {
    if (sum.count != kSum) return false;
    if (harmonic.count == 0) return add.template operator()<kSum, 0>(), true;
    if constexpr (S::kKind == Semiring::min_plus) {
      if (harmonic.count == 2) return add.template operator()<kSum, 2>(), true;
      if (harmonic.count == 3) return add.template operator()<kSum, 3>(), true;
    }
    return false;
  };
  if constexpr (std::is_integral_v<typename S::Value>) {
    return with.template operator()<1>();
  } else {
    return with.template operator()<2>() || with.template operator()<3>();
  }
}

/// `found`: the range, not empty.
template <class S>
void add_stretch(const typename S::Value* values, std::int64_t first, std::int64_t cols,
                 const Extremes<double>& found, const ColumnTotals& totals) {
  std::uint32_t* const reached = totals.reached + first;
  const auto slices = slices_of<S>(magnitudes<S>(values, cols, found), totals, first);
  const auto& sum = slices.first;
  const auto& harmonic = slices.second;
  const auto add = [&]<int kSum, int kHarmonic>() {
    add_to_columns<S, kSum, kHarmonic>(values, cols, sum, harmonic, reached);
  };
  if (with_counts<S>(sum, harmonic, add)) return;
  add.template operator()<0, 0>();
  add_to_slices<S>(values, first, cols, totals.sum, sum, [](double distance) { return distance; });
  add_to_slices<S>(values, first, cols, totals.harmonic, harmonic,
                   [](double distance) { return distance > 0 ? 1.0 / distance : 0.0; });
}

/// Neighbours often share a bin, whose increments wait for each other, so kTables tables take
/// turns. A single table counts the u16 "no path" as an integer.
template <class S, std::int64_t kTables>
void count_cells(const typename S::Value* values, std::int64_t cols, const HistogramBins& cells,
                 std::int64_t* counts) {
  using T = typename S::Value;
  const std::int64_t apart = cells.count();
  const auto count = [&](auto cell_of) {
    for (std::int64_t j = 0; j < cols; ++j) {
      const std::int64_t cell = cell_of(values[j]);
      ++counts[(j % kTables) * apart + (values[j] == S::zero() ? cells.no_path() : cell)];
    }
  };
  if constexpr (std::is_same_v<T, std::uint16_t> && kTables == 1) {
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

template <class S>
Extremes<double> sweep_row(const void* row, std::int64_t first, std::int64_t cols,
                           const ColumnTotals& totals, const HistogramBins& cells,
                           std::int64_t* counts) {
  const auto* const values = static_cast<const typename S::Value*>(row);
  if constexpr (S::kKind == Semiring::or_and) {
    std::uint32_t* const reached = totals.reached + first;
    for (std::int64_t j = 0; j < cols; ++j) reached[j] += values[j] != S::zero() ? 1u : 0u;
    return {};
  } else {
    const Extremes<typename S::Value> exact = range_of<S>(values, cols);
    if (exact.least > exact.greatest) return {};
    const Extremes<double> found{static_cast<double>(exact.least),
                                 static_cast<double>(exact.greatest)};
    add_stretch<S>(values, first, cols, found, totals);
    count_cells<S, 1>(values, cols, cells, counts);
    return found;
  }
}

}  // namespace apsp::statistics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // APSP_QUERY_ROW_SWEEP_INL_H_
