#include "statistics/column_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/double_double.hpp"
#include "base/sum_slices.hpp"

namespace apsp::statistics {
namespace {

/// The plane of values that are too large for slices.
constexpr int kBeyond = std::numeric_limits<int>::max();

/// A sum of numbers, rounded once (Shewchuk 1997, Grow-Expansion).
class RoundedSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const base::DoubleDouble sum = base::two_sum(x, parts_[i]);
      if (sum.low != 0) parts_[kept++] = sum.low;
      x = sum.high;
    }
    if (x != 0) parts_[kept++] = x;
    count_ = kept;
  }
  double total() const {
    base::DoubleDouble sum;
    std::size_t i = count_;
    while (i > 0 && sum.low == 0) sum = base::two_sum(sum.high, parts_[--i]);
    // Smaller parts decide between two doubles that are equally near.
    if (i == 0 || sum.low == 0 || (sum.low < 0) != (parts_[i - 1] < 0)) return sum.high;
    const double other = sum.high + 2 * sum.low;
    return other - sum.high == 2 * sum.low ? other : sum.high;
  }

 private:
  std::size_t count_ = 0;
  std::array<double, 64> parts_{};  // [count_] ascending magnitudes without common digits
};

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

void ColumnSums::add(Int128 units, int unit, std::int64_t column) {
  constexpr int kDigits = 126;
  for (int number = (unit + kDigits) / width_; units != 0; --number) {
    const int shift = width_ * number + 1 - unit;
    if (shift > kDigits) continue;
    const Int128 half = shift > 0 ? Int128{1} << (shift - 1) : 0;
    const Int128 part = (units + half) >> std::max(shift, 0);
    if (part == 0) continue;
    *slice(number, column).sums += std::ldexp(static_cast<double>(part), unit + std::max(shift, 0));
    units -= part * (Int128{1} << std::max(shift, 0));
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
  RoundedSum total;
  double beyond = 0;
  for (const auto& [number, sums] : planes_) {
    const double part = sums[static_cast<std::size_t>(column)];
    number == kBeyond ? void(beyond = part) : total.add(part);
  }
  return beyond + total.total();
}

}  // namespace apsp::statistics
