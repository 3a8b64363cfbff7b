// Counts of distances ≥ 0, real or integer, on a device, for statistics.
//
// Each distance is counted in a bin given by its leading bits. Sums keep every digit: values are
// cut into slices (base/sum_slices.hpp), whose parts are added as integers, independent of the
// order. Short integer distances have a faster count (`RowCount`).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/double_double.hpp"
#include "base/sum_slices.hpp"
#include "kernels/contract.hpp"

namespace apsp::kernels {

/// Smaller integers may have a bin each; reciprocals of greater ones are no multiples of 2^-73.
inline constexpr std::int64_t kCountLimit = std::int64_t{1} << 21;

/// The number of integers with a bin each, if none exceeds `greatest`; at least all that u16 holds.
inline std::int64_t integer_bins(double greatest) {
  constexpr std::int64_t kLeast = std::int64_t{1} << 15;
  const double most = static_cast<double>(kCountLimit - 1);
  const bool known = greatest >= 0 && greatest < most;
  return std::max(kLeast, 1 + static_cast<std::int64_t>(known ? std::ceil(greatest) : most));
}

/// Bins of distances in ascending order. Bin 0 holds the distance 0.
class DistanceBins {
 public:
  DistanceBins() = default;
  /// `whole`: distances are integers, and short ones have a bin each. Other distances share a bin
  /// with those of the same exponent and 11 leading binary digits. Distances other than 0 are
  /// between `least` and `greatest`. Requires: 0 < least ≤ greatest.
  DistanceBins(bool whole, double least, double greatest)
      : limit_(whole ? integer_bins(greatest) : 1) {
    first_ = leading(whole ? static_cast<double>(limit_) : least);
    count_ = limit_ + std::max<std::int64_t>(0, leading(greatest) - first_ + 1);
  }

  std::int64_t count() const { return count_; }
  /// Integer distances below this have a bin each; 1: only the distance 0 has.
  std::int64_t limit() const { return limit_; }
  /// Leading bits of the first shared bin.
  std::int64_t first() const { return first_; }
  /// Returns the bin of a distance, or `count()` if it has none.
  std::int64_t of(double distance) const {
    if (distance >= 0 && distance < static_cast<double>(limit_) && (limit_ > 1 || distance == 0)) {
      return static_cast<std::int64_t>(distance);
    }
    const std::int64_t bin = leading(distance) - first_;
    return bin < 0 || bin >= count_ - limit_ ? count_ : limit_ + bin;
  }
  double low(std::int64_t bin) const {
    if (bin < limit_) return static_cast<double>(bin);
    const double edge = std::bit_cast<double>((bin - limit_ + first_) << kTrailing);
    return limit_ > 1 ? std::max(edge, static_cast<double>(limit_)) : edge;
  }

  /// Bits of a double after the leading ones.
  static constexpr int kTrailing = 52 - 11;

 private:
  static std::int64_t leading(double distance) {
    return std::bit_cast<std::int64_t>(distance) >> kTrailing;
  }

  std::int64_t limit_ = 1, first_ = 0, count_ = 1;
};

/// The sum of the reciprocals of integers up to `kCountLimit`, each rounded to a double r:
/// high × 2^-32 + low × 2^-73. `high` sums r rounded to multiples of 2^-32 and `low` the
/// remainders.
struct ReciprocalSum {
  static constexpr int kHighDigits = 32, kLowDigits = 73, kBetween = kLowDigits - kHighDigits;
  /// (x + round) − round is x to the nearest multiple of 2^-32, for x up to 1.
  static constexpr double kRound = 0x1.8p20;

  /// Adds sums of up to 2^12 high and low parts.
  void add(double highs, double lows) {
    high += static_cast<std::int64_t>(highs * 0x1p32);
    low += static_cast<std::int64_t>(lows * 0x1p73);
    carry();
  }
  void add(const ReciprocalSum& other) {
    low += other.low;
    carry();
    high += other.high;
  }

  /// The sum is upper() + lower(), both exact for up to 2^27 reciprocals, even over 64 threads.
  double upper() const { return static_cast<double>(high >> kShared) * 0x1p-26; }
  double lower() const {
    const std::int64_t shared = high & ((std::int64_t{1} << kShared) - 1);
    return static_cast<double>(shared * (std::int64_t{1} << kBetween) + low) * 0x1p-73;
  }

  std::int64_t high = 0, low = 0;

 private:
  static constexpr int kShared = kHighDigits - 26;

  /// Leaves 0 ≤ low < 2^kBetween, so that `low` never overflows.
  void carry() {
    high += low >> kBetween;
    low &= (std::int64_t{1} << kBetween) - 1;
  }
};

/// Totals of one row over all counted columns, of short integers; independent of the order.
struct RowTotals {
  std::uint64_t sum = 0;
  ReciprocalSum reciprocals{};  ///< of positive distances
  std::uint64_t reached = 0;    ///< columns with a path

  void add(const RowTotals& other) {
    sum += other.sum;
    reciprocals.add(other.reciprocals);
    reached += other.reached;
  }
};

/// Totals of one row over all counted columns, of any distances.
struct DistanceTotals {
  static constexpr int kSlices = 4;

  std::uint64_t reached = 0;               ///< columns with a path
  std::int64_t sums[kSlices] = {};         ///< of distances, in units of each slice
  std::int64_t reciprocals[kSlices] = {};  ///< of distances above 0, rounded to doubles

  void add(const DistanceTotals& other) {
    reached += other.reached;
    for (int i = 0; i < kSlices; ++i) {
      sums[i] += other.sums[i];
      reciprocals[i] += other.reciprocals[i];
    }
  }
};

/// The greatest distance from a vertex, and the smallest label at that distance.
struct Farthest {
  static constexpr std::uint32_t kNone = ~0u;

  double distance = std::numeric_limits<double>::lowest();
  std::uint32_t label = kNone;  ///< none: no path, or not known yet
  std::uint32_t taken = 0;      ///< lock of the writing thread of a device

  /// Whether there is a distance.
  constexpr bool reaches() const { return distance > std::numeric_limits<double>::lowest(); }
  constexpr bool is_raised_by(double other, std::uint32_t at) const {
    return other > distance || (other == distance && at < label);
  }
  constexpr void add(double other, std::uint32_t at) {
    if (!is_raised_by(other, at)) return;
    distance = other;
    label = at;
  }
  constexpr void add(const Farthest& other) { add(other.distance, other.label); }
};

/// Distances between one vertex and the vertices of a set.
struct DistancesWithin {
  Farthest farthest{};
  base::DoubleDouble sum{};

  constexpr void add(double distance, std::uint32_t label) {
    farthest.add(distance, label);
    sum = base::sum(sum, distance);
  }
  constexpr void add(const DistancesWithin& other) {
    farthest.add(other.farthest);
    sum = base::sum(base::sum(sum, other.sum.high), other.sum.low);
  }
};

/// A set of rows whose distances are also counted separately.
struct RowsWithin {
  /// Number of parts of the rows, which are summed separately, in an order independent of the
  /// device.
  static std::int64_t parts_of(std::int64_t rows, std::int64_t cols) {
    return std::clamp<std::int64_t>(kMostScratch / std::max<std::int64_t>(1, cols), 1,
                                    most_parts(rows));
  }
  /// Elements of scratch memory for any count of at most so many rows and columns.
  static std::int64_t scratch_of(std::int64_t rows, std::int64_t cols) {
    return std::min(std::max(cols, kMostScratch), most_parts(rows) * cols);
  }

  const std::uint8_t* holds = nullptr;  ///< [labels] nonzero for members of the set; null: no set
  DistancesWithin* columns = nullptr;   ///< [cols]
  DistancesWithin* parts = nullptr;     ///< [parts_of(rows, cols), cols] scratch

 private:
  static constexpr std::int64_t kMostScratch = std::int64_t{1} << 18;
  static std::int64_t most_parts(std::int64_t rows) {
    constexpr std::int64_t kMost = 256, kRows = 64;  // rows of a part, at least
    return std::clamp<std::int64_t>(rows / kRows, 1, kMost);
  }
};

/// A column's greatest distance and the smallest label of a row that attains it, as one number; the
/// greater number is the better one, 0 means no path.
constexpr std::uint64_t greatest_key(std::uint32_t distance, std::uint32_t label) {
  return (std::uint64_t{distance} << 32 | (0xFFFFFFFFu - label)) + 1;
}
constexpr std::uint32_t greatest_of(std::uint64_t key) {
  return static_cast<std::uint32_t>((key - 1) >> 32);
}
constexpr std::uint32_t label_of(std::uint64_t key) {
  return 0xFFFFFFFFu - static_cast<std::uint32_t>((key - 1) & 0xFFFFFFFFu);
}

/// Potentials of reduced distances (`ListedForm::reduced`), in device memory; null: distances are
/// as they are.
struct RowPotentials {
  const std::int32_t* rows = nullptr;     ///< [rows], of vertices that are reached
  const std::int32_t* columns = nullptr;  ///< [cols], of sources
};

/// Counts integer distances ≥ 0 (min-plus in u16 or i32, or `ListedForm::whole`) and adds to the
/// arrays. Pairs of a row and a column with the same label are not counted.
struct RowCount {
  ConstView x;                                   ///< [rows, cols]
  const std::uint32_t* row_labels = nullptr;     ///< [rows], distinct
  const std::uint32_t* column_labels = nullptr;  ///< [cols]
  RowTotals* totals = nullptr;                   ///< [rows]
  std::uint64_t* greatest = nullptr;             ///< [cols], `greatest_key`
  std::uint64_t* counts = nullptr;  ///< [limit + 1] by distance; the last: beyond the limit
  std::int64_t limit = 0;           ///< up to kCountLimit
  RowsWithin within{};              ///< of distances as they are
  RowPotentials potentials{};
};
/// Most columns that `RowTotals` can add up without overflow.
inline constexpr std::int64_t kCountedColumns = std::int64_t{1} << 22;

/// Counts min-plus distances ≥ 0 and adds to the arrays. Equal labels of row and column: not
/// counted.
struct DistanceCount {
  ConstView x;                                   ///< [rows, cols]
  const std::uint32_t* row_labels = nullptr;     ///< [rows], distinct
  const std::uint32_t* column_labels = nullptr;  ///< [cols]
  DistanceTotals* totals = nullptr;              ///< [rows]
  Farthest* farthest = nullptr;                  ///< [cols]
  std::uint64_t* least = nullptr;                ///< [1] bits of the least distance, a double
  std::uint64_t* counts = nullptr;  ///< [bins.count() + 1]; the last: distances without a bin
  DistanceBins bins{};
  base::SliceRange sums{}, reciprocals{};  ///< up to kSlices each
  RowsWithin within{};
};

}  // namespace apsp::kernels
