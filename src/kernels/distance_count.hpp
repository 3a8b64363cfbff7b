// Counts of distances ≥ 0, real or integer, on a device, for statistics.
//
// Each distance is counted in a bin given by its leading bits. Sums keep every digit: values are
// cut into slices (base/sum_slices.hpp), whose parts are added as integers, independent of the
// order. Short integer distances have a faster count (`RowCount` in listed_rows.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/double_double.hpp"
#include "base/sum_slices.hpp"
#include "kernels/contract.hpp"

namespace apsp::kernels {

/// Smaller integers may have a bin each; reciprocals of greater ones are no multiples of 2^-73.
inline constexpr std::int64_t kCountLimit = std::int64_t{1} << 21;

/// The number of integers with a bin each, if none exceeds `greatest`; at least all that u16 holds.
inline std::int64_t whole_places(double greatest) {
  constexpr std::int64_t kLeast = std::int64_t{1} << 15;
  const double most = static_cast<double>(kCountLimit - 1);
  const bool known = greatest >= 0 && greatest < most;
  return std::max(kLeast, 1 + static_cast<std::int64_t>(known ? std::ceil(greatest) : most));
}

/// Bins of distances in ascending order. Bin 0 holds the distance 0.
class DistancePlaces {
 public:
  DistancePlaces() = default;
  /// `whole`: distances are integers, and short ones have a bin each. Other distances share a bin
  /// with those of the same exponent and 11 leading binary digits. Distances other than 0 are
  /// between `least` and `greatest`. Requires: 0 < least ≤ greatest.
  DistancePlaces(bool whole, double least, double greatest)
      : limit_(whole ? whole_places(greatest) : 1) {
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
    const std::int64_t place = leading(distance) - first_;
    return place < 0 || place >= count_ - limit_ ? count_ : limit_ + place;
  }
  double low(std::int64_t place) const {
    if (place < limit_) return static_cast<double>(place);
    const double edge = std::bit_cast<double>((place - limit_ + first_) << kTrailing);
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

/// A column's greatest distance, and the smallest label of a row that attains it.
struct FarthestRow {
  double distance = -1;  ///< −1: no path
  std::uint32_t label = ~0u;
  std::uint32_t taken = 0;  ///< lock of the writing thread
};

/// Distances from a set of rows to one column.
struct ColumnWithin {
  double greatest = -1;       ///< −1: no path
  std::uint32_t label = ~0u;  ///< smallest label of a row at the greatest distance
  std::uint32_t unused = 0;
  double high = 0, low = 0;  ///< sum of the distances: high + low

  constexpr void add(const ColumnWithin& other) {
    const base::DoubleDouble sum = base::two_sum(high, other.high);
    high = sum.high;
    low += other.low + sum.low;
    if (other.greatest < greatest || (other.greatest == greatest && other.label > label)) return;
    greatest = other.greatest;
    label = other.label;
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
  ColumnWithin* columns = nullptr;      ///< [cols]
  ColumnWithin* parts = nullptr;        ///< [parts_of(rows, cols), cols] scratch

 private:
  static constexpr std::int64_t kMostScratch = std::int64_t{1} << 18;
  static std::int64_t most_parts(std::int64_t rows) {
    constexpr std::int64_t kMost = 256, kRows = 64;  // rows of a part, at least
    return std::clamp<std::int64_t>(rows / kRows, 1, kMost);
  }
};

/// Counts min-plus distances ≥ 0 and adds to the arrays. Equal labels of row and column: not
/// counted.
struct DistanceCount {
  ConstView x;                                   ///< [rows, cols]
  const std::uint32_t* row_labels = nullptr;     ///< [rows], distinct
  const std::uint32_t* column_labels = nullptr;  ///< [cols]
  DistanceTotals* totals = nullptr;              ///< [rows]
  FarthestRow* farthest = nullptr;               ///< [cols]
  std::uint64_t* least = nullptr;                ///< [1] bits of the least distance, a double
  std::uint64_t* counts = nullptr;  ///< [places.count() + 1]; the last: distances without a bin
  DistancePlaces places{};
  base::SliceRange sums{}, reciprocals{};  ///< up to kSlices each
  RowsWithin within{};
};

}  // namespace apsp::kernels
