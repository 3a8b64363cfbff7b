// Bins of distances, from which a pass that keeps no distances finds median and histogram.
//
// Small integers have a bin each, so their counts are exact. Other values share bins, 2^11 for each
// power of two, taken from the leading bits of the double: half a bin's width is at most 2^-12 of
// its values. Bins are in the order of their values:
//
//     coarse negative | one an integer, [−limit, limit) | coarse, not negative | no path
//
// Coarse bin k ≥ 0 is [edge(k), edge(k + 1)); edge(k) has 12 significant bits. Magnitudes under
// `kSmallest` count as zero, and the last bin has no upper end.
#pragma once

#include <apsp/statistics.hpp>
#include <bit>
#include <cstdint>
#include <vector>

namespace apsp::statistics {

class HistogramBins {
 public:
  static constexpr std::int64_t kLeastLimit = std::int64_t{1} << 15;
  static constexpr std::int64_t kGreatestLimit = std::int64_t{1} << 21;
  static constexpr double kSmallest = 0x1.002p-127;  // edge(1)
  /// Coarse bins of one sign, and the leading bits of a double in the first of them.
  static constexpr int kMantissaBits = 11;
  static constexpr std::int64_t kCoarse = std::int64_t{256} << kMantissaBits;
  static constexpr std::int64_t kBelow = std::int64_t{1023 - 127} << kMantissaBits;

  /// `greatest_possible`: a bound of magnitudes. It only saves bins: larger integers are counted in
  /// coarse ones.
  HistogramBins(bool integral, double greatest_possible);

  std::int64_t count() const { return no_path() + 1; }
  std::int64_t no_path() const { return kCoarse + 2 * limit_ + kCoarse; }
  bool integral() const { return limit_ > 0; }
  std::int64_t limit() const { return limit_; }

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
  /// A positive normal float has exponent and leading bits in its own bits.
  std::int64_t of_coarse(float value) const {
    constexpr std::uint32_t kLeastNormal = 0x00800000u, kPastFinite = 0x7F800000u;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (bits - kLeastNormal >= kPastFinite - kLeastNormal) {
      return of_coarse(static_cast<double>(value));
    }
    return kCoarse + 2 * limit_ + static_cast<std::int64_t>(bits >> (23 - kMantissaBits));
  }

  /// Whether all values of the bin equal `low(cell)`.
  bool exact(std::int64_t cell) const;
  /// A bin has low ≤ v < high.
  double low(std::int64_t cell) const;
  double high(std::int64_t cell) const;
  /// The nearest value that splits no bin.
  double nearest_edge(double value) const;

 private:
  /// Negating the magnitude before the shift rounds negative values towards minus infinity.
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
  std::int64_t coarse_number(std::int64_t cell) const {
    return cell < kCoarse ? cell - kCoarse : cell - kCoarse - 2 * limit_;
  }

  std::int64_t limit_;  // 0: no integer bins
};

/// Counts of the bins [first, first + counts.size()), and the exact range.
struct Distribution {
  const HistogramBins& cells;
  std::int64_t first = 0;
  std::vector<std::int64_t> counts;
  double least = 0, greatest = 0;
};

struct Quantile {
  double value = 0;
  double error = 0;  ///< relative bound; 0: exact
};

/// The least value that at least `fraction` of all values do not exceed, as the centre of its bin;
/// 0.5: the lower median. Requires: at least one value, 0 < fraction ≤ 1.
Quantile quantile(const Distribution& distribution, double fraction);

/// At most 20 bars of equal width, with integral ends if integers have a bin each. Other inner ends
/// move to the nearest edge of a bin, so that counts are exact.
std::vector<HistogramBin> histogram(const Distribution& distribution);

/// Moves the outer ends to the values that occur.
std::vector<HistogramBin> clipped(std::vector<HistogramBin> bins, double least, double greatest);

}  // namespace apsp::statistics
