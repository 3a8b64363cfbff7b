#include "statistics/histogram_bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/distance_count.hpp"

namespace apsp::statistics {

HistogramBins::HistogramBins(bool integral, double greatest_possible) : limit_(0) {
  if (integral) limit_ = kernels::integer_bins(greatest_possible);
}

double HistogramBins::edge(std::int64_t k) {
  if (k == 0) return 0;
  const std::int64_t magnitude = std::abs(k);
  const double value = magnitude >= kCoarse
                           ? std::numeric_limits<double>::infinity()
                           : std::bit_cast<double>((magnitude + kBelow) << (52 - kMantissaBits));
  return k < 0 ? -value : value;
}

bool HistogramBins::exact(std::int64_t cell) const {
  return cell >= kCoarse && cell < kCoarse + 2 * limit_;
}

double HistogramBins::low(std::int64_t cell) const {
  if (exact(cell)) return static_cast<double>(cell - kCoarse - limit_);
  const double low = edge(coarse_number(cell));
  return cell < kCoarse ? low : std::max(low, static_cast<double>(limit_));
}

double HistogramBins::high(std::int64_t cell) const {
  if (exact(cell)) return low(cell) + 1;
  const double high = edge(coarse_number(cell) + 1);
  return cell < kCoarse ? std::min(high, static_cast<double>(-limit_)) : high;
}

double HistogramBins::nearest_edge(double value) const {
  if (std::abs(value) < static_cast<double>(limit_)) return std::round(value);
  const std::int64_t k = coarse(value);
  const double below = edge(k), above = edge(k + 1);
  return value - below <= above - value ? below : above;
}

namespace {

constexpr int kBars = 20;

/// The smallest of 1, 2, 5, 10, 20, 50, … that makes at most kBars bars.
double whole_step(double least, double greatest) {
  for (double power = 1;; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double step = factor * power;
      if (std::floor(greatest / step) - std::floor(least / step) < kBars) return step;
    }
  }
}

std::vector<double> whole_ends(double least, double greatest) {
  const double step = whole_step(least, greatest);
  std::vector<double> ends = {std::floor(least / step) * step};
  while (ends.back() <= greatest) ends.push_back(ends.back() + step);
  return ends;
}

/// If bins are wider than bars, equal ends are merged.
std::vector<double> cell_ends(const Distribution& distribution) {
  const double least = distribution.least, greatest = distribution.greatest;
  std::vector<double> ends = {least};
  for (int bar = 1; bar < kBars; ++bar) {
    const double part = static_cast<double>(bar) / kBars;
    const double end = distribution.cells.nearest_edge(least * (1 - part) + greatest * part);
    if (end > ends.back() && end < greatest) ends.push_back(end);
  }
  ends.push_back(greatest);
  return ends;
}

}  // namespace

Quantile quantile(const Distribution& distribution, double fraction) {
  const HistogramBins& cells = distribution.cells;
  const std::int64_t total =
      std::accumulate(distribution.counts.begin(), distribution.counts.end(), std::int64_t{0});
  const auto wanted = static_cast<std::int64_t>(std::ceil(fraction * static_cast<double>(total)));
  std::int64_t counted = 0, cell = distribution.first;
  for (const std::int64_t count : distribution.counts) {
    counted += count;
    if (counted >= wanted) break;
    ++cell;
  }
  if (cells.exact(cell)) return {cells.low(cell), 0};
  const double low = std::max(cells.low(cell), distribution.least);
  const double high = std::min(cells.high(cell), distribution.greatest);
  const double smallest = std::min(std::abs(low), std::abs(high));
  if (std::max(std::abs(low), std::abs(high)) <= HistogramBins::kSmallest) return {0, 0};
  return {low + (high - low) / 2, (high - low) / 2 / smallest};
}

std::vector<HistogramBin> histogram(const Distribution& distribution) {
  const HistogramBins& cells = distribution.cells;
  const std::int64_t last = distribution.first + std::ssize(distribution.counts) - 1;
  const bool one_each = cells.exact(distribution.first) && cells.exact(last);
  const std::vector<double> ends =
      one_each ? whole_ends(distribution.least, distribution.greatest) : cell_ends(distribution);
  std::vector<HistogramBin> bars;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) bars.push_back({ends[i], ends[i + 1], 0});
  std::size_t bar = 0;
  for (std::size_t i = 0; i < distribution.counts.size(); ++i) {
    if (distribution.counts[i] == 0) continue;
    const double low = cells.low(distribution.first + static_cast<std::int64_t>(i));
    while (bar + 1 < bars.size() && low >= bars[bar].high) ++bar;
    bars[bar].pairs += distribution.counts[i];
  }
  return bars;
}

std::vector<HistogramBin> clipped(std::vector<HistogramBin> bins, double least, double greatest) {
  if (bins.empty()) return bins;
  bins.front().low = std::clamp(least, bins.front().low, bins.front().high);
  bins.back().high = std::clamp(greatest, bins.back().low, bins.back().high);
  return bins;
}

}  // namespace apsp::statistics
