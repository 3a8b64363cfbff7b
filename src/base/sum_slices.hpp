// Exact sums in slices of binary digits.
//
// Slice k holds multiples of 2^(Wk + 1), of magnitude up to 2^(W(k + 1)). A value is cut from its
// highest slice down, rounding to the nearest, and each part is added to the sum of its slice. A
// part is at most 2^(W−1) units of its slice and W + log2(terms) ≤ 53, so additions of doubles are
// exact in any order. Malcolm 1971 (an accumulator for a range of exponents); Rump 2008 and Demmel
// 2013 (a part by adding and subtracting a large constant).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace apsp::base {

class SliceRange {
 public:
  SliceRange() = default;
  /// Width W for sums of up to so many terms.
  static constexpr int width_for(std::int64_t terms) {
    return kMantissa - static_cast<int>(std::bit_width(
                           static_cast<std::uint64_t>(std::max<std::int64_t>(terms, 2) - 1)));
  }
  /// Slices for zeros and values of magnitude `least` to `greatest`, with `digits` significant
  /// binary digits; at least two. Requires: 0 < least ≤ greatest ≤ kGreatest.
  SliceRange(int width, double least, double greatest, int digits) : width_(width) {
    int end = 0;  // greatest ≤ 2^end
    if (std::frexp(greatest, &end) == 0.5) --end;
    const int lowest = std::max(std::ilogb(least) - (digits - 1), kLowestDigit);
    top_ = floor_of_quotient(end + width_ - 1, width_) - 1;
    const int bottom = std::min(top_ - 1, floor_of_quotient(lowest - 1, width_));
    count_ = top_ - bottom + 1;
  }

  /// Constants of larger magnitudes would overflow.
  static constexpr double kGreatest = 0x1p900;

  int width() const { return width_; }
  int top() const { return top_; }      ///< number of the highest slice; others follow downwards
  int count() const { return count_; }  ///< 0: no values
  /// Returns the constant with (x + round) − round = x rounded to the nearest unit of slice
  /// `number`: 1.5 · 2^52 units, so that doubles near it are one unit apart.
  static double round(int width, int number) {
    return std::ldexp(1.5, width * number + 1 + kMantissa - 1);
  }
  static double unit(int width, int number) { return std::ldexp(1.0, width * number + 1); }
  double round_of(int i) const { return round(width_, top_ - i); }
  double unit_of(int i) const { return unit(width_, top_ - i); }

 private:
  static constexpr int kMantissa = 53;  // binary digits of a double
  static constexpr int kLowestDigit = -1074;

  static int floor_of_quotient(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

  int width_ = 0, top_ = 0, count_ = 0;
};

}  // namespace apsp::base
