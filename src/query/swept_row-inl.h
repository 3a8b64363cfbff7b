// The loops of swept_row.hpp, compiled once per instruction set (swept_row.cpp).
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

#include "query/row_sweep-inl.h"
#include "query/swept_row.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

template <class S>
Extremes<double> count_row(const void* row, std::int64_t cols, const ValueCells& cells,
                           std::int64_t* counts) {
  if constexpr (S::kKind == Semiring::or_and) {
    return {};
  } else {
    const auto* const values = static_cast<const typename S::Value*>(row);
    const Extremes<typename S::Value> found = range_of<S>(values, cols);
    if (found.least > found.greatest) return {};
    count_cells<S>(values, cols, cells, counts);
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
  for (std::int64_t j = 0; j < cols; ++j) reached += values[j] != S::zero() ? 1u : 0u;
  return reached;
}

template <class S>
void add_across(const void* row, std::int64_t cols, const Extremes<double>& found,
                const ColumnTotals& totals, Vertex vertex) {
  using T = typename S::Value;
  const auto* const values = static_cast<const T*>(row);
  totals.reached[vertex] += reached_in<S>(values, cols);
  if constexpr (S::kKind != Semiring::or_and) {
    if (found.least > found.greatest) return;
    const auto [all, positive] = magnitudes<S>(values, cols, found);
    if constexpr (std::is_integral_v<T>) {
      std::int64_t sum = 0;
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
          .add_across = &add_across<S>,
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
