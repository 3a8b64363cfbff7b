#include "query/column_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/double_double.hpp"

namespace apsp::query {
namespace {

constexpr int kMantissa = 53;          // binary digits of a double
constexpr int kLowestDigit = -1074;    // of any double
constexpr double kGreatest = 0x1p900;  // the constant of a slice lies up to 2 · 53 digits higher
/// Above all slices: what is too large for them, summed as it comes.
constexpr int kBeyond = std::numeric_limits<int>::max();

int floor_of_quotient(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

}  // namespace

ColumnSums::ColumnSums(std::int64_t columns, std::int64_t rows)
    : columns_(columns),
      width_(kMantissa - static_cast<int>(std::bit_width(
                             static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 2) - 1)))) {}

Slice ColumnSums::slice(int number, std::int64_t column) {
  std::vector<double>& sums = planes_[number];
  if (sums.empty()) sums.resize(static_cast<std::size_t>(columns_));
  // 1.5 · 2^52 units: its sum with a part lies where doubles are whole units apart.
  const double round = number == kBeyond ? 0 : std::ldexp(1.5, width_ * number + 1 + kMantissa - 1);
  return {sums.data() + column, round};
}

Slices ColumnSums::slices(double least, double greatest, int digits, std::int64_t column) {
  int end = 0;  // greatest ≤ 2^end
  if (std::frexp(greatest, &end) == 0.5) --end;
  if (!(greatest <= kGreatest)) return {kBeyond, 1, {slice(kBeyond, column)}};
  const int lowest = std::max(std::ilogb(least) - (digits - 1), kLowestDigit);
  const int top = floor_of_quotient(end + width_ - 1, width_) - 1;
  const int bottom = std::min(top - 1, floor_of_quotient(lowest - 1, width_));
  Slices slices{top, top - bottom + 1, {}};
  for (int i = 0; i < std::min(slices.count, Slices::kHeld); ++i) {
    slices.held[static_cast<std::size_t>(i)] = slice(top - i, column);
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

}  // namespace apsp::query
