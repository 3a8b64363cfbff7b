// Sums of columns that hold every digit until they are read: no order of the rows changes a bit.
//
// Values are cut into slices (base/sum_slices.hpp). Each slice has a plane of doubles, one a
// column, to which parts are added. A plane is made when the first value reaches it: reciprocals of
// whole numbers under 2^27 take two, other distances two or three, doubles of all sizes some fifty.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/byte_stream.hpp"

namespace apsp::statistics {

/// One slice of some neighbouring columns.
struct Slice {
  double* sums = nullptr;  // of the first column
  double round = 0;        // (x + round) − round is x to the nearest unit of the slice
};

/// The slices of some values, from the highest down; the last one takes what is left.
struct Slices {
  static constexpr int kHeld = 3;
  int top = 0, count = 0;
  std::array<Slice, kHeld> held{};  // [count]; where there are more, ask for each
};

class ColumnSums {
 public:
  /// `rows`: the most values of a column.
  ColumnSums(std::int64_t columns, std::int64_t rows);

  /// For values of magnitude `least` to `greatest`, and zeros, with `digits` significant binary
  /// digits; at least two slices. `column`: of the first of them. Requires: 0 < least ≤ greatest.
  /// Magnitudes above 2^900 have no slices, whose constants would overflow: one plane takes them as
  /// they come.
  Slices slices(double least, double greatest, int digits, std::int64_t column);
  /// For integers whose sum stays below 2^53: one plane.
  Slices whole_numbers(std::int64_t column) { return {0, 1, {slice(0, column)}}; }
  Slice slice(int number, std::int64_t column);

  /// Adds column i of `other` to column columns[i], or to column i without `columns`, for all i.
  /// Requires: no row is in both, and both were made for the same number of rows.
  void add(const ColumnSums& other, std::span<const std::uint32_t> columns = {});
  /// For another process, and what another one wrote, instead of what was here.
  void write(base::ByteWriter& to) const;
  void read(base::ByteReader& from);
  /// Rounded once, in effect.
  double total(std::int64_t column) const;

 private:
  std::int64_t columns_;
  int width_;                                  // W, binary digits of a slice
  std::map<int, std::vector<double>> planes_;  // by slice: [columns]
};

}  // namespace apsp::statistics
