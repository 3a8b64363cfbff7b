// From counts of cells to the median and the bars of a histogram.
#pragma once

#include <apsp/statistics.hpp>
#include <cstdint>
#include <vector>

#include "query/value_cells.hpp"

namespace apsp::query {

/// How often values fell into the cells [first, first + counts.size()), and their exact range.
struct Distribution {
  const ValueCells& cells;
  std::int64_t first = 0;
  std::vector<std::int64_t> counts;
  double least = 0;
  double greatest = 0;
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

}  // namespace apsp::query
