// Exact sums of columns, independent of the order of rows.
//
// Values are split into slices (base/sum_slices.hpp). Each slice has a plane of doubles, one for
// each column, allocated on first use: reciprocals of integers under 2^27 need two planes, other
// distances two or three, doubles of all sizes some fifty.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/byte_stream.hpp"

namespace apsp::statistics {

__extension__ using Int128 = __int128;

struct Slice {
  double* sums = nullptr;  // of the first column
  double round = 0;        // (x + round) − round is x to the nearest unit of the slice
};

/// Slices in descending order. The last one receives the remainder.
struct Slices {
  static constexpr int kHeld = 3;
  int top = 0, count = 0;
  std::array<Slice, kHeld> held{};  // [count]; call `ColumnSums::slice` for more
};

class ColumnSums {
 public:
  /// `rows`: most values in a column.
  ColumnSums(std::int64_t columns, std::int64_t rows);

  /// Requires: 0 < least ≤ greatest, the magnitudes of all values but zeros, which have `digits`
  /// significant binary digits. Returns at least two slices from `column` on. Magnitudes above
  /// 2^900, whose constants would overflow, share one plane.
  Slices slices(double least, double greatest, int digits, std::int64_t column);
  /// Requires: integers whose sum is below 2^53.
  Slices whole_numbers(std::int64_t column) { return {0, 1, {slice(0, column)}}; }
  Slice slice(int number, std::int64_t column);

  /// Adds column i to columns[i], or to i if `columns` is empty. Requires: the same `rows`, and no
  /// row in both.
  void add(const ColumnSums& other, std::span<const std::uint32_t> columns = {});
  /// Adds units · 2^unit to a column, as at most one value.
  void add(Int128 units, int unit, std::int64_t column);
  void write(base::ByteWriter& to) const;
  void read(base::ByteReader& from);
  /// The sum, rounded once.
  double total(std::int64_t column) const;

 private:
  std::int64_t columns_;
  int width_;                                  // binary digits of a slice
  std::map<int, std::vector<double>> planes_;  // [columns] each
};

}  // namespace apsp::statistics
