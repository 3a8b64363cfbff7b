#include "query/value_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsp::query {

ValueCells::ValueCells(bool integral, double greatest_possible) : limit_(0) {
  if (!integral) return;
  const double most = static_cast<double>(kGreatestLimit - 1);
  const bool known = greatest_possible >= 0 && greatest_possible < most;
  limit_ = 1 + static_cast<std::int64_t>(known ? std::ceil(greatest_possible) : most);
  limit_ = std::max(limit_, kLeastLimit);
}

double ValueCells::edge(std::int64_t k) {
  if (k == 0) return 0;
  const std::int64_t magnitude = std::abs(k);
  const double value = magnitude >= kCoarse
                           ? std::numeric_limits<double>::infinity()
                           : std::bit_cast<double>((magnitude + kBelow) << (52 - kMantissaBits));
  return k < 0 ? -value : value;
}

bool ValueCells::exact(std::int64_t cell) const {
  return cell >= kCoarse && cell < kCoarse + 2 * limit_;
}

double ValueCells::low(std::int64_t cell) const {
  if (exact(cell)) return static_cast<double>(cell - kCoarse - limit_);
  const double low = edge(coarse_number(cell));
  return cell < kCoarse ? low : std::max(low, static_cast<double>(limit_));
}

double ValueCells::high(std::int64_t cell) const {
  if (exact(cell)) return low(cell) + 1;
  const double high = edge(coarse_number(cell) + 1);
  return cell < kCoarse ? std::min(high, static_cast<double>(-limit_)) : high;
}

double ValueCells::nearest_edge(double value) const {
  if (std::abs(value) < static_cast<double>(limit_)) return std::round(value);
  const std::int64_t k = coarse(value);
  const double below = edge(k);
  const double above = edge(k + 1);
  return value - below <= above - value ? below : above;
}

}  // namespace apsp::query
