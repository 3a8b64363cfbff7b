#include "statistics/column_sums.hpp"

#include <algorithm>
#include <limits>

#include "base/double_double.hpp"
#include "base/sum_slices.hpp"

namespace apsp::statistics {
namespace {

/// The plane of values that are too large for slices.
constexpr int kBeyond = std::numeric_limits<int>::max();

}  // namespace

ColumnSums::ColumnSums(std::int64_t columns, std::int64_t rows)
    : columns_(columns), width_(base::SliceRange::width_for(rows)) {}

Slice ColumnSums::slice(int number, std::int64_t column) {
  std::vector<double>& sums = planes_[number];
  if (sums.empty()) sums.resize(static_cast<std::size_t>(columns_));
  const double round = number == kBeyond ? 0 : base::SliceRange::round(width_, number);
  return {sums.data() + column, round};
}

Slices ColumnSums::slices(double least, double greatest, int digits, std::int64_t column) {
  if (!(greatest <= base::SliceRange::kGreatest)) return {kBeyond, 1, {slice(kBeyond, column)}};
  const base::SliceRange range(width_, least, greatest, digits);
  Slices slices{range.top(), range.count(), {}};
  for (int i = 0; i < std::min(slices.count, Slices::kHeld); ++i) {
    slices.held[static_cast<std::size_t>(i)] = slice(range.top() - i, column);
  }
  return slices;
}

void ColumnSums::add(const ColumnSums& other, std::span<const std::uint32_t> columns) {
  for (const auto& [number, theirs] : other.planes_) {
    double* const mine = slice(number, 0).sums;
    for (std::size_t i = 0; i < theirs.size(); ++i)
      mine[columns.empty() ? i : columns[i]] += theirs[i];
  }
}

void ColumnSums::write(base::ByteWriter& to) const {
  to.put(static_cast<std::uint64_t>(planes_.size()));
  for (const auto& [number, sums] : planes_) {
    to.put(number);
    to.put(sums);
  }
}

void ColumnSums::read(base::ByteReader& from) {
  planes_.clear();
  for (auto planes = from.get<std::uint64_t>(); planes > 0; --planes) {
    const int number = from.get<int>();
    planes_[number] = from.get_all<double>();
  }
}

double ColumnSums::total(std::int64_t column) const {
  base::DoubleDouble total;
  double beyond = 0;
  for (auto at = planes_.rbegin(); at != planes_.rend(); ++at) {
    const double part = at->second[static_cast<std::size_t>(column)];
    if (at->first == kBeyond) {
      beyond = part;
    } else {
      total = base::sum(total, part);
    }
  }
  return beyond + (total.high + total.low);
}

}  // namespace apsp::statistics
