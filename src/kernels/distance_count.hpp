// Counts of any distances from 0 on, real or whole, by a device: what statistics need of them.
//
// Each distance is counted at a place, which takes its leading bits. Sums hold every digit: values
// are cut into slices (base/sum_slices.hpp), and the parts of a slice are added as whole numbers of
// its unit. So no order of the additions changes anything. Shorter whole distances of u16 and i32
// have a quicker count (`RowCount` in listed_rows.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/double_double.hpp"
#include "base/sum_slices.hpp"
#include "kernels/contract.hpp"

namespace apsp::kernels {

/// Whole distances up to here can have a place each. Reciprocals of greater ones are not multiples
/// of 2^-73.
inline constexpr std::int64_t kCountLimit = std::int64_t{1} << 21;

/// How many whole distances have a place each, where none is greater than `greatest`: at least all
/// that u16 holds.
inline std::int64_t whole_places(double greatest) {
  constexpr std::int64_t kLeast = std::int64_t{1} << 15;
  const double most = static_cast<double>(kCountLimit - 1);
  const bool known = greatest >= 0 && greatest < most;
  return std::max(kLeast, 1 + static_cast<std::int64_t>(known ? std::ceil(greatest) : most));
}

/// Places of distances, in the order of their values. Place 0 is that of the distance 0.
class DistancePlaces {
 public:
  DistancePlaces() = default;
  /// `whole`: distances are whole numbers, and the short ones have a place each. All others share
  /// a place with those of the same exponent and 11 leading binary digits. Distances other than 0
  /// lie between `least` and `greatest`. Requires: 0 < least ≤ greatest.
  DistancePlaces(bool whole, double least, double greatest)
      : limit_(whole ? whole_places(greatest) : 1) {
    first_ = leading(whole ? static_cast<double>(limit_) : least);
    count_ = limit_ + std::max<std::int64_t>(0, leading(greatest) - first_ + 1);
  }

  std::int64_t count() const { return count_; }
  /// Whole distances below it have a place each; 1: only the distance 0 has.
  std::int64_t limit() const { return limit_; }
  /// The leading bits of the first distances that share a place.
  std::int64_t first() const { return first_; }
  /// `count()`: it has none.
  std::int64_t of(double distance) const {
    if (distance >= 0 && distance < static_cast<double>(limit_) && (limit_ > 1 || distance == 0)) {
      return static_cast<std::int64_t>(distance);
    }
    const std::int64_t place = leading(distance) - first_;
    return place < 0 || place >= count_ - limit_ ? count_ : limit_ + place;
  }
  /// A distance of the place.
  double low(std::int64_t place) const {
    if (place < limit_) return static_cast<double>(place);
    const double edge = std::bit_cast<double>((place - limit_ + first_) << kTrailing);
    return limit_ > 1 ? std::max(edge, static_cast<double>(limit_)) : edge;
  }

  /// Bits of a double that are not its leading ones.
  static constexpr int kTrailing = 52 - 11;

 private:
  static std::int64_t leading(double distance) {
    return std::bit_cast<std::int64_t>(distance) >> kTrailing;
  }

  std::int64_t limit_ = 1, first_ = 0, count_ = 1;
};

/// Totals of one row, over all counted columns.
struct DistanceTotals {
  static constexpr int kSlices = 4;

  std::uint64_t reached = 0;               ///< columns that have a path
  std::int64_t sums[kSlices] = {};         ///< of distances, in units of each slice
  std::int64_t reciprocals[kSlices] = {};  ///< of those above 0, each first rounded to a double

  /// What was counted of other columns.
  void add(const DistanceTotals& other) {
    reached += other.reached;
    for (int i = 0; i < kSlices; ++i) {
      sums[i] += other.sums[i];
      reciprocals[i] += other.reciprocals[i];
    }
  }
};

/// A column's greatest distance and the smallest label of a row that has it.
struct FarthestRow {
  double distance = -1;  ///< −1: no path
  std::uint32_t label = ~0u;
  std::uint32_t taken = 0;  ///< while a thread writes it
};

/// Distances of one column to the rows of a set.
struct ColumnWithin {
  double greatest = -1;       ///< −1: no path
  std::uint32_t label = ~0u;  ///< the smallest of a row at the greatest distance
  std::uint32_t unused = 0;
  double high = 0, low = 0;  ///< their sum is high + low

  /// What was counted of other rows.
  void add(const ColumnWithin& other) {
    const base::DoubleDouble sum = base::two_sum(high, other.high);
    high = sum.high;
    low += other.low + sum.low;
    if (other.greatest < greatest || (other.greatest == greatest && other.label > label)) return;
    greatest = other.greatest;
    label = other.label;
  }
};

/// A set of rows, to which distances are counted a second time.
struct RowsWithin {
  /// Parts of the rows, each added up by itself, so that the order of additions does not depend on
  /// the device.
  static std::int64_t parts_of(std::int64_t rows, std::int64_t cols) {
    return std::clamp<std::int64_t>(kMostScratch / std::max<std::int64_t>(1, cols), 1,
                                    most_parts(rows));
  }
  /// Scratch memory for any count of at most so many rows and columns, in elements.
  static std::int64_t scratch_of(std::int64_t rows, std::int64_t cols) {
    return std::min(std::max(cols, kMostScratch), most_parts(rows) * cols);
  }

  const std::uint8_t* holds = nullptr;  ///< [labels] not 0 in the set; null: there is no set
  ColumnWithin* columns = nullptr;      ///< [cols]
  ColumnWithin* parts = nullptr;        ///< [parts_of(rows, cols), cols] of scratch memory

 private:
  static constexpr std::int64_t kMostScratch = std::int64_t{1} << 18;
  static std::int64_t most_parts(std::int64_t rows) {
    constexpr std::int64_t kMost = 256, kRows = 64;  // of a part, at least
    return std::clamp<std::int64_t>(rows / kRows, 1, kMost);
  }
};

/// Counts distances from 0 on (min-plus), and adds to what the arrays hold. Where a row and a
/// column have the same label, the value is left out.
struct DistanceCount {
  ConstView x;                                   ///< [rows, cols]
  const std::uint32_t* row_labels = nullptr;     ///< [rows], distinct
  const std::uint32_t* column_labels = nullptr;  ///< [cols]
  DistanceTotals* totals = nullptr;              ///< [rows]
  FarthestRow* farthest = nullptr;               ///< [cols]
  std::uint64_t* least = nullptr;                ///< [1] the bits of the least distance, a double
  std::uint64_t* counts = nullptr;  ///< [places.count() + 1]; the last: of those without a place
  DistancePlaces places{};
  base::SliceRange sums{}, reciprocals{};  ///< up to kSlices each
  RowsWithin within{};
};

}  // namespace apsp::kernels
