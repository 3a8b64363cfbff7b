// Memory of counts by lanes (lane_counts.hpp): tables of bins, and totals of lanes and of vertices.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/value_types.hpp"
#include "statistics/lane_counts.hpp"
#include "statistics/totals.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::statistics {

/// Totals of one vertex, in units of `LaneTables::counts`.
struct LaneTotals {
  Int128 sum = 0, reciprocals = 0;  ///< of distances; of reciprocals of those above 0
  std::uint32_t reached = 0;
};

/// Creates a Counter<T> for a type of numbers.
template <class Base, template <class> class Counter, class... From>
std::unique_ptr<Base> lane_counter(ValueType type, const From&... from) {
  return base::with_type(type, [&]<class T>() -> std::unique_ptr<Base> {
    using Number = std::conditional_t<sizeof(T) == 1, float, T>;
    return std::make_unique<Counter<Number>>(from...);
  });
}

/// Tables of counts. Real distances are counted within a range of 2^37, which the first row sets.
template <class T>
class LaneTables {
 public:
  explicit LaneTables(const HistogramBins& bins)
      : bins_(bins), distinct_(bins.limit() > kNarrowLimit ? 1 : kLaneTables) {
    const std::int64_t integers = integers_of(bins);
    const std::int64_t size = integers + (kIsReal<T> ? HistogramBins::kCoarse : 1);
    memory_ = system::AlignedMemory::on_small_pages(distinct_ * size *
                                                    std::int64_t{sizeof(std::uint32_t)});
    for (std::int64_t i = 0; i < kLaneTables; ++i) {
      counts_.tables[static_cast<std::size_t>(i)] =
          memory_.as<std::uint32_t>() + i % distinct_ * size;
    }
    counts_.limit = static_cast<std::int32_t>(integers);
    if constexpr (kIsReal<T>) return;
    counts_.least = 1;
    counts_.below = static_cast<T>(integers);
    counts_.reciprocals = FixedPoint<T>(-ReciprocalSum::kLowDigits);
  }

  const LaneCounts<T>& counts() const { return counts_; }

  /// Counts a row; again, if its distances have set the range.
  template <class Count>
  LaneRow<T> count(std::int64_t lanes, Totals& to, const Count& count_row) {
    if (counted_ + lanes >= kCountedAtMost) emit(to);
    LaneRow<T> found = count_row(counts_);
    if (!found.taken && fits(found)) found = count_row(counts_);
    if (found.reached == 0) return found;
    counted_ += lanes;
    least_ = std::min(least_, found.least);
    greatest_ = std::max(greatest_, found.greatest);
    return found;
  }

  /// Adds the counts and the range, and begins again.
  void emit(Totals& to) {
    if (least_ > greatest_) return;
    to.widen({static_cast<double>(least_), static_cast<double>(greatest_)});
    auto* const counts = to.counts.template as<std::int64_t>() + bins_.of(0.0);
    const std::int64_t first = bin_of(least_), end = bin_of(greatest_) + 1;
    // Other pages are never touched.
    for (std::int64_t table = 0; table < distinct_; ++table) {
      std::uint32_t* const of = counts_.tables[static_cast<std::size_t>(table)];
      for (std::int64_t i = first; i < end; ++i) counts[i] += std::exchange(of[i], 0u);
    }
    counted_ = 0;
  }

  void add(const LaneRow<T>& row, LaneTotals& to) const {
    to.sum += counts_.sum.units(row.sum);
    to.reciprocals += counts_.reciprocals.units(row.reciprocals);
    to.reached += row.reached;
  }
  void put(const LaneTotals& of, std::int64_t column, Totals& to) const {
    to.reached[static_cast<std::size_t>(column)] += of.reached;
    if constexpr (kIsReal<T>) {
      to.sum.add(of.sum, counts_.sum.unit, column);
      to.harmonic.add(of.reciprocals, counts_.reciprocals.unit, column);
    } else {
      const auto low = static_cast<std::int64_t>(of.sum);
      *to.sum.whole_numbers(column).held[0].sums += static_cast<double>(low);
      // Two parts are exact for up to 2^27 reciprocals, even over 64 threads.
      constexpr int kShared = 47;
      const Int128 upper = of.reciprocals >> kShared;
      *to.harmonic.slice(-1, column).sums +=
          std::ldexp(static_cast<double>(upper), kShared - ReciprocalSum::kLowDigits);
      *to.harmonic.slice(-2, column).sums +=
          std::ldexp(static_cast<double>(of.reciprocals - upper * (Int128{1} << kShared)),
                     -ReciprocalSum::kLowDigits);
    }
  }

 private:
  /// Integers with a bin; reciprocals of greater ones are no multiples of 2^-73.
  static std::int64_t integers_of(const HistogramBins& bins) {
    if constexpr (kIsReal<T>) return bins.limit();
    return std::min({bins.limit(), kernels::kCountLimit,
                     static_cast<std::int64_t>(semiring::MinPlus<T>::zero())});
  }
  /// Values before the tables of 32-bit counts are emptied.
  static constexpr std::int64_t kCountedAtMost = std::int64_t{1} << 32;

  std::int64_t bin_of(T value) const {
    return bins_.of(static_cast<double>(value)) - bins_.of(0.0);
  }

  /// Sets the range around the first row. Returns whether the row is within it now.
  bool fits([[maybe_unused]] const LaneRow<T>& row) {
    if constexpr (kIsReal<T>) {
      constexpr int kBoth = 2 * FixedPoint<T>::kBetween, kRange = kBoth - 53;
      constexpr int kLeast = -126, kMost = 127;  // bins of all others are not those of their bits
      const bool is_set = counts_.below > 0;
      if (is_set || !(row.least > 0) || row.greatest == semiring::MinPlus<T>::zero()) return false;
      const int least = std::ilogb(row.least), end = std::ilogb(row.greatest) + 1;
      if (least < kLeast || end > kMost || end - least > kRange) return false;
      const int from = std::clamp(least - (kRange - (end - least)) / 2, kLeast, kMost - kRange);
      counts_.least = std::ldexp(T{1}, from);
      counts_.below = std::ldexp(T{1}, from + kRange);
      counts_.sum = FixedPoint<T>(from + kRange - kBoth);
      counts_.reciprocals = FixedPoint<T>(-from - kBoth);
      return true;
    } else {
      return false;
    }
  }

  const HistogramBins& bins_;
  std::int64_t distinct_;  // tables
  system::AlignedMemory memory_;
  LaneCounts<T> counts_;
  std::int64_t counted_ = 0;
  T least_ = std::numeric_limits<T>::max(), greatest_ = std::numeric_limits<T>::lowest();
};

/// Totals of lanes, and a copy of a row.
template <class T>
class LaneMemory {
 public:
  static constexpr std::int64_t kLine = 64;

  /// The number of lanes of whole cache lines.
  static std::int64_t padded(std::int64_t lanes) {
    constexpr std::int64_t kOfALine = kLine / std::int64_t{sizeof(T)};
    return (lanes + kOfALine - 1) / kOfALine * kOfALine;
  }

  void begin(std::int64_t count) {
    used_ = padded(count);
    if (used_ > lanes_) {
      lanes_ = used_;
      memory_ = system::AlignedMemory(lanes_ * kBytes);
      std::byte* at = memory_.data();
      const auto next = [&]<class Total>(Total*& begin) {
        begin = reinterpret_cast<Total*>(at);
        at += lanes_ * std::int64_t{sizeof(Total)};
      };
      next(totals.high);
      next(totals.low);
      if constexpr (kIsReal<T>) next(totals.sum_high), next(totals.sum_low);
      next(totals.greatest);
      next(totals.missed);
      next(row_);
      next(totals.farthest);
      if constexpr (!kIsReal<T>) next(totals.sum);
    }
    std::fill_n(memory_.data(), memory_.bytes(), std::byte{0});
    std::fill_n(totals.farthest, lanes_, kNoVertex);
    rows_ = 0;
  }

  std::int64_t used() const { return used_; }
  bool is_full() const { return rows_ == kRowsTogether<T>; }
  void note_row() { ++rows_; }

  /// A copy in which lanes from `end` on, and lane `own`, have no path.
  const T* copy(const T* row, std::int64_t end, std::int64_t own) {
    std::copy_n(row, end, row_);
    std::fill(row_ + end, row_ + used_, semiring::MinPlus<T>::zero());
    if (own >= 0 && own < end) row_[own] = semiring::MinPlus<T>::zero();
    return row_;
  }

  /// Sums of lane i.
  LaneRow<T> lane(std::int64_t i) const {
    LaneRow<T> found;
    found.reached = static_cast<std::uint32_t>(rows_ - totals.missed[i]);
    found.reciprocals = {totals.high[i], totals.low[i]};
    if constexpr (kIsReal<T>) {
      found.sum = {totals.sum_high[i], totals.sum_low[i]};
    } else {
      found.sum = totals.sum[i];
    }
    return found;
  }
  /// Keeps `greatest` and `farthest`.
  void clear_sums() {
    const auto clear = [&](auto* of) { std::fill_n(of, used_, 0); };
    clear(totals.high), clear(totals.low), clear(totals.missed);
    if constexpr (kIsReal<T>) {
      clear(totals.sum_high), clear(totals.sum_low);
    } else {
      clear(totals.sum);
    }
    rows_ = 0;
  }

  Lanes<T> totals;

 private:
  static constexpr std::int64_t kBytes = (kIsReal<T> ? 4 * 8 : 2 * 8 + 4) + 4 + 3 * sizeof(T);
  std::int64_t lanes_ = 0, used_ = 0, rows_ = 0;
  T* row_ = nullptr;
  system::AlignedMemory memory_;
};

}  // namespace apsp::statistics
