// The line of distances cut into cells, so that a pass that keeps no distances can still find their
// median and the bars of a histogram.
//
// Integers of small magnitude get a cell each: counts are exact. Everything else falls into cells
// of 2^11 to a power of two, taken from the bits of the double, which order like the values: a
// cell's half width is at most 2^-12 of its values. Cells are numbered in the order of their
// values:
//
//     coarse negative | one an integer, [−limit, limit) | coarse, not negative | no path
//
// A coarse cell k ≥ 0 holds [edge(k), edge(k + 1)), where edge(k) has 12 significant bits;
// magnitudes under `kSmallest` count as zero, and the last cell has no upper end.
#pragma once

#include <apsp/statistics.hpp>
#include <bit>
#include <cstdint>
#include <vector>

namespace apsp::statistics {

class HistogramBins {
 public:
  static constexpr std::int64_t kLeastLimit = std::int64_t{1} << 15;  // every u16 value
  static constexpr std::int64_t kGreatestLimit = std::int64_t{1} << 21;
  static constexpr double kSmallest = 0x1.002p-127;  // edge(1)

  /// `integral`: every value is an integer. `greatest_possible`: their largest magnitude, which
  /// need not be sharp: it saves cells, and integers beyond the limit fall into coarse ones.
  HistogramBins(bool integral, double greatest_possible);

  std::int64_t count() const { return no_path() + 1; }
  std::int64_t no_path() const { return kCoarse + 2 * limit_ + kCoarse; }
  bool integral() const { return limit_ > 0; }
  /// Integers in [−limit, limit) have a cell each.
  std::int64_t limit() const { return limit_; }

  /// The cell of an integer. Requires: `integral()`.
  std::int64_t of_integer(std::int32_t value) const {
    if (value >= -limit_ && value < limit_) return kCoarse + limit_ + value;
    return of_coarse(static_cast<double>(value));
  }
  std::int64_t of(double value) const {
    if (value >= static_cast<double>(-limit_) && value < static_cast<double>(limit_)) {
      return kCoarse + limit_ + static_cast<std::int64_t>(value);
    }
    return of_coarse(value);
  }
  std::int64_t of_coarse(double value) const {
    const std::int64_t k = coarse(value);
    return kCoarse + k + (k < 0 ? 0 : 2 * limit_);
  }
  /// The same cell: of a positive normal float exponent and leading bits are in its own bits.
  std::int64_t of_coarse(float value) const {
    constexpr std::uint32_t kLeastNormal = 0x00800000u, kPastFinite = 0x7F800000u;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (bits - kLeastNormal >= kPastFinite - kLeastNormal) {
      return of_coarse(static_cast<double>(value));
    }
    return kCoarse + 2 * limit_ + static_cast<std::int64_t>(bits >> (23 - kMantissaBits));
  }

  /// Whether all values of the cell are equal, to `low(cell)`.
  bool exact(std::int64_t cell) const;
  /// The values v of a cell satisfy low ≤ v < high, or v = low where it is exact.
  double low(std::int64_t cell) const;
  double high(std::int64_t cell) const;
  /// The value nearest to `value` at which no cell is cut in two.
  double nearest_edge(double value) const;

 private:
  static constexpr int kMantissaBits = 11;
  static constexpr std::int64_t kCoarse = std::int64_t{256} << kMantissaBits;
  /// How many cells of doubles the first one stands for.
  static constexpr std::int64_t kBelow = std::int64_t{1023 - 127} << kMantissaBits;

  /// k with edge(k) ≤ value < edge(k + 1). Negating the magnitude's bits and shifting them with
  /// their sign rounds towards minus infinity, also for negative values.
  static std::int64_t coarse(double value) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    const std::int64_t magnitude = bits & INT64_MAX;
    if (bits >= 0) {
      const std::int64_t k = (magnitude >> (52 - kMantissaBits)) - kBelow;
      return k < 0 ? 0 : (k < kCoarse ? k : kCoarse - 1);
    }
    const std::int64_t k = (-magnitude >> (52 - kMantissaBits)) + kBelow;
    if (magnitude == 0) return 0;
    return k > -1 ? -1 : (k >= -kCoarse ? k : -kCoarse);
  }
  static double edge(std::int64_t k);
  /// The number that `coarse` gave to a coarse cell.
  std::int64_t coarse_number(std::int64_t cell) const {
    return cell < kCoarse ? cell - kCoarse : cell - kCoarse - 2 * limit_;
  }

  std::int64_t limit_;  // integers in [−limit, limit) have a cell each; 0: none
};

/// How often values fell into the cells [first, first + counts.size()), and their exact range.
struct Distribution {
  const HistogramBins& cells;
  std::int64_t first = 0;
  std::vector<std::int64_t> counts;
  double least = 0, greatest = 0;
};

struct Median {
  double value = 0;
  double error = 0;  ///< relative bound; 0: exact
};

/// The lower median: the middle one of cells' middles. Requires: at least one value counted.
Median median(const Distribution& distribution);

/// At most 20 bars of equal width. Integers with a cell each: whole-numbered ends, one bar a value
/// where the range allows it. Otherwise inner ends are moved to the nearest edge of a cell, so that
/// every count is exact for the ends given.
std::vector<HistogramBin> histogram(const Distribution& distribution);

/// The outer ends drawn in to the values that occur.
std::vector<HistogramBin> clipped(std::vector<HistogramBin> bins, double least, double greatest);

}  // namespace apsp::statistics
