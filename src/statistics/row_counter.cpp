#include "statistics/row_counter.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "statistics/row_counter.cpp"
#include "base/targets.hpp"
// base/targets.hpp chooses the instruction sets before this.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "base/double_double.hpp"
#include "semiring/dispatch.hpp"
#include "statistics/row_counter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::statistics::HWY_NAMESPACE {

template <class S>
Extremes<double> count_row(const void* row, std::int64_t cols, const HistogramBins& cells,
                           std::int64_t* counts) {
  if constexpr (S::kKind == Semiring::or_and) {
    return {};
  } else {
    const auto* const values = static_cast<const typename S::Value*>(row);
    const Extremes<typename S::Value> found = range_of<S>(values, cols);
    if (found.least > found.greatest) return {};
    count_tables(cells) == 1 ? count_cells<S, 1>(values, cols, cells, counts)
                             : count_cells<S, 4>(values, cols, cells, counts);
    return {static_cast<double>(found.least), static_cast<double>(found.greatest)};
  }
}

/// `term(distance)`: the summand. The sums of parts are exact, so their order does not matter.
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

template <class S>
void add_across(const typename S::Value* values, std::int64_t cols, const Slices& of_sum,
                const Slices& of_harmonic, const ColumnTotals& totals, Vertex vertex) {
  if constexpr (std::is_integral_v<typename S::Value>) {
    std::int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < cols; ++j) sum += values[j] == S::zero() ? 0 : values[j];
    *of_sum.held[0].sums += static_cast<double>(sum);
  } else {
    add_across_slices<S>(values, cols, totals.sum, of_sum, vertex,
                         [](double distance) { return distance; });
  }
  if (of_harmonic.count == 0) return;
  add_across_slices<S>(values, cols, totals.harmonic, of_harmonic, vertex,
                       [](double distance) { return distance > 0 ? 1.0 / distance : 0.0; });
}

struct Across {
  void add_to(const Slices& slices) const {
    if (slices.count >= 2) *slices.held[0].sums += high;
    if (slices.count == 3) *slices.held[1].sums += middle;
    if (slices.count >= 1) *slices.held[static_cast<std::size_t>(slices.count) - 1].sums += low;
  }
  double high = 0, middle = 0, low = 0;
};

/// Splits each value once, for its vertex and, with `kDown`, for its lane.
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

template <class S>
void add_row(const void* row, std::int64_t cols, const Extremes<double>& found,
             const ColumnTotals& across, Vertex vertex, const ColumnTotals* down) {
  const auto* const values = static_cast<const typename S::Value*>(row);
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
    };
    if (with_counts<S>(sum, harmonic, add)) return;
    add_across<S>(values, cols, sum, harmonic, across, vertex);
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
SweptRow swept_row_operations() {
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

RowSweep row_sweep_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(alike(semiring), type,
                            []<class S>() -> RowSweep { return &sweep_row<S>; });
}
SweptRow swept_row_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(alike(semiring), type,
                            []<class S>() { return swept_row_operations<S>(); });
}

}  // namespace apsp::statistics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::statistics {

HWY_EXPORT(row_sweep_of);
HWY_EXPORT(swept_row_of);

RowSweep row_sweep(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(row_sweep_of)(semiring, type);
}
SweptRow swept_row(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(swept_row_of)(semiring, type);
}

}  // namespace apsp::statistics
#endif
