#include "statistics/row_counter.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "statistics/row_counter.cpp"
#include "base/targets.hpp"
// base/targets.hpp chooses the instruction sets before this.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/double_double.hpp"
#include "semiring/dispatch.hpp"

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

/// Sums of a row in up to three slices.
struct Across {
  void add_to(const Slices& slices) const {
    if (slices.count >= 2) *slices.held[0].sums += high;
    if (slices.count == 3) *slices.held[1].sums += middle;
    if (slices.count >= 1) *slices.held[static_cast<std::size_t>(slices.count) - 1].sums += low;
  }
  double high = 0, middle = 0, low = 0;
};

/// Up to three slices in registers.
template <int kCount>
struct HeldSlices {
  explicit HeldSlices(const Slices& slices)
      : high(slices.held[0]),
        middle(slices.held[1]),
        low(slices.held[static_cast<std::size_t>(kCount > 0 ? kCount - 1 : 0)]) {}
  Slice high, middle, low;
};

/// Splits each value and its reciprocal once, and adds the parts across, down or both ways.
template <class S, int kSum, int kHarmonic, bool kAcross, bool kDown>
void add_values(const typename S::Value* values, std::int64_t cols, const Slices& of_sum,
                const Slices& of_harmonic, std::uint32_t* reached, Across& sum_across,
                Across& harmonic_across) {
  const HeldSlices<kSum> sum(of_sum);
  const HeldSlices<kHarmonic> harmonic(of_harmonic);
  constexpr bool kWhole = std::is_integral_v<typename S::Value>;
  double s_high = 0, s_middle = 0, s_low = 0, h_high = 0, h_middle = 0, h_low = 0;
#pragma omp simd reduction(+ : s_high, s_middle, s_low, h_high, h_middle, h_low)
  for (std::int64_t j = 0; j < cols; ++j) {
    // Compilers vectorise only without a branch and with floats compared as doubles.
    const auto value = static_cast<double>(values[j]);
    const bool path = kWhole ? values[j] != S::zero() : value != static_cast<double>(S::zero());
    // Null only where it is not read. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    if constexpr (kDown) reached[j] += static_cast<std::uint32_t>(path);
    double rest = path ? value : 0.0;
    if constexpr (kSum >= 2) {
      const double part = (rest + sum.high.round) - sum.high.round;
      if constexpr (kAcross) s_high += part;
      if constexpr (kDown) sum.high.sums[j] += part;
      rest -= part;
    }
    if constexpr (kSum == 3) {
      const double part = (rest + sum.middle.round) - sum.middle.round;
      if constexpr (kAcross) s_middle += part;
      if constexpr (kDown) sum.middle.sums[j] += part;
      rest -= part;
    }
    if constexpr (kSum >= 1 && kAcross) s_low += rest;
    if constexpr (kSum >= 1 && kDown) sum.low.sums[j] += rest;
    if constexpr (kHarmonic > 0) {
      const double reciprocal = 1.0 / value;
      double left = (path & (value > 0)) ? reciprocal : 0.0;
      const double part = (left + harmonic.high.round) - harmonic.high.round;
      if constexpr (kAcross) h_high += part;
      if constexpr (kDown) harmonic.high.sums[j] += part;
      left -= part;
      if constexpr (kHarmonic == 3) {
        const double next = (left + harmonic.middle.round) - harmonic.middle.round;
        if constexpr (kAcross) h_middle += next;
        if constexpr (kDown) harmonic.middle.sums[j] += next;
        left -= next;
      }
      if constexpr (kAcross) h_low += left;
      if constexpr (kDown) harmonic.low.sums[j] += left;
    }
  }
  sum_across = {s_high, s_middle, s_low};
  harmonic_across = {h_high, h_middle, h_low};
}

/// Any number of slices of `sums` from `column` on: all values to this column, or value i to column
/// `column` + i. `term(distance)`: the summand. Sums of parts are exact in any order.
template <class S, bool kAcross, class Term>
void add_to_slices(const typename S::Value* values, std::int64_t cols, ColumnSums& sums,
                   const Slices& slices, std::int64_t column, Term&& term) {
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
                                            : sums.slice(slices.top - i, column);
      const bool last = i + 1 == slices.count;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t j = 0; j < count; ++j) {
        const double part = last ? rest[j] : (rest[j] + slice.round) - slice.round;
        if constexpr (kAcross) sum += part;
        if constexpr (!kAcross) slice.sums[first + j] += part;
        rest[j] -= part;
      }
      if constexpr (kAcross) *slice.sums += sum;
    }
  }
}

/// Calls `add_to_slices` for distances and for reciprocals of positive ones.
template <class S, bool kAcross>
void add_all_slices(const typename S::Value* values, std::int64_t cols, const ColumnTotals& totals,
                    const std::pair<Slices, Slices>& slices, std::int64_t column) {
  add_to_slices<S, kAcross>(values, cols, totals.sum, slices.first, column,
                            [](double distance) { return distance; });
  add_to_slices<S, kAcross>(values, cols, totals.harmonic, slices.second, column,
                            [](double distance) { return distance > 0 ? 1.0 / distance : 0.0; });
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
Extremes<double> count_row(const void* row, std::int64_t cols, const HistogramBins& cells,
                           std::int64_t tables, std::int64_t* counts) {
  if constexpr (S::kKind == Semiring::or_and) {
    return {};
  } else {
    const auto* const values = static_cast<const typename S::Value*>(row);
    const Extremes<typename S::Value> found = range_of<S>(values, cols);
    if (found.least > found.greatest) return {};
    tables == 1 ? count_cells<S, 1>(values, cols, cells, counts)
                : count_cells<S, 4>(values, cols, cells, counts);
    return {static_cast<double>(found.least), static_cast<double>(found.greatest)};
  }
}

template <class S>
std::uint32_t reached_in(const typename S::Value* values, std::int64_t cols) {
  std::uint32_t reached = 0;
#pragma omp simd reduction(+ : reached)
  for (std::int64_t j = 0; j < cols; ++j) reached += values[j] != S::zero() ? 1u : 0u;
  return reached;
}

template <class S>
void add_row(const void* row, std::int64_t cols, const Extremes<double>& found,
             const ColumnTotals* across, Vertex vertex, const ColumnTotals* down,
             std::int64_t first) {
  const auto* const values = static_cast<const typename S::Value*>(row);
  std::uint32_t* const reached = down == nullptr ? nullptr : down->reached + first;
  if (across != nullptr) across->reached[vertex] += reached_in<S>(values, cols);
  if constexpr (S::kKind == Semiring::or_and) {
    if (down == nullptr) return;
    for (std::int64_t j = 0; j < cols; ++j) reached[j] += values[j] != S::zero() ? 1u : 0u;
  } else {
    if (found.least > found.greatest) return;
    const Magnitudes sizes = magnitudes<S>(values, cols, found);
    std::pair<Slices, Slices> of_vertex, of_lanes;
    if (across != nullptr) of_vertex = slices_of<S>(sizes, *across, vertex);
    if (down != nullptr) of_lanes = slices_of<S>(sizes, *down, first);
    const auto& [sum, harmonic] = across != nullptr ? of_vertex : of_lanes;
    Across of_sum, of_harmonic;
    const auto add = [&]<int kSum, int kHarmonic>() {
      const auto both = [&]<bool kAcross, bool kDown>() {
        const auto& slices = kDown ? of_lanes : of_vertex;
        add_values<S, kSum, kHarmonic, kAcross, kDown>(values, cols, slices.first, slices.second,
                                                       reached, of_sum, of_harmonic);
      };
      if (across == nullptr) return both.template operator()<false, true>();
      down == nullptr ? both.template operator()<true, false>()
                      : both.template operator()<true, true>();
      of_sum.add_to(of_vertex.first);
      of_harmonic.add_to(of_vertex.second);
    };
    if (with_counts<S>(sum, harmonic, add)) return;
    if (across != nullptr) add_all_slices<S, true>(values, cols, *across, of_vertex, vertex);
    if (down == nullptr) return;
    add_values<S, 0, 0, false, true>(values, cols, {}, {}, reached, of_sum, of_harmonic);
    add_all_slices<S, false>(values, cols, *down, of_lanes, first);
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
void add_lanes(const void* row, std::int64_t cols, double* high, double* low) {
  const auto* const values = static_cast<const typename S::Value*>(row);
#pragma omp simd
  for (std::int64_t j = 0; j < cols; ++j) {
    const base::DoubleDouble sum = base::two_sum(high[j], static_cast<double>(values[j]));
    high[j] = sum.high;
    low[j] += sum.low;
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
RowOperations operations_of() {
  using T = typename S::Value;
  return {.count = &count_row<S>,
          .add = &add_row<S>,
          .raise = &raise<S>,
          .add_lanes = &add_lanes<S>,
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

/// Longest and widest paths have the same "no path", which is all that the loops know.
Semiring alike(Semiring semiring) {
  return semiring == Semiring::max_plus ? Semiring::max_min : semiring;
}

RowOperations row_operations_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(alike(semiring), type, []<class S>() { return operations_of<S>(); });
}

}  // namespace apsp::statistics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::statistics {

HWY_EXPORT(row_operations_of);

RowOperations row_operations(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(row_operations_of)(semiring, type);
}

}  // namespace apsp::statistics
#endif
