// Sums of columns that are the same bits in any order of rows, for shares of paths and volumes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "statistics/column_sums.hpp"

namespace apsp::paths {

/// Sums columns in two slices: 2 · (53 − log2(rows)) binary digits below `greatest`.
class RoundedSums {
 public:
  RoundedSums(std::size_t columns, std::int64_t rows, double greatest)
      : sums_(static_cast<std::int64_t>(columns), rows),
        slices_(sums_.slices(std::max(greatest, 1.0), std::max(greatest, 1.0), 2, 0)) {}
  RoundedSums(const RoundedSums&) = delete;
  RoundedSums& operator=(const RoundedSums&) = delete;

  void add(std::span<const double> values, double times) {
    double* const high = slices_.held[0].sums;
    double* const low = slices_.held[1].sums;
    const double round_high = slices_.held[0].round, round_low = slices_.held[1].round;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i] * times;
      const double part = (value + round_high) - round_high;
      high[i] += part;
      low[i] += ((value - part) + round_low) - round_low;
    }
  }
  void add_at(std::size_t column, double value) {
    const double round_high = slices_.held[0].round, round_low = slices_.held[1].round;
    const double part = (value + round_high) - round_high;
    slices_.held[0].sums[column] += part;
    slices_.held[1].sums[column] += ((value - part) + round_low) - round_low;
  }
  void add(const RoundedSums& other) { sums_.add(other.sums_); }
  void add(std::span<const double> high, std::span<const double> low) {
    for (std::size_t i = 0; i < high.size(); ++i) {
      slices_.held[0].sums[i] += high[i];
      slices_.held[1].sums[i] += low[i];
    }
  }
  const statistics::Slices& slices() const { return slices_; }
  double total(std::size_t column) const { return sums_.total(static_cast<std::int64_t>(column)); }

 private:
  statistics::ColumnSums sums_;
  statistics::Slices slices_;
};

}  // namespace apsp::paths
