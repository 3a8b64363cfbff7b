// A number as the unevaluated sum of two doubles: some 106 bits of mantissa.
//
// Sums here contain no product, so no compiler can contract them. Requires: no fast-math.
// Knuth 1969, The Art of Computer Programming 2, §4.2.2 (two_sum); Dekker 1971.
#pragma once

namespace apsp::base {

struct DoubleDouble {
  double high = 0;  // the sum, rounded to a double
  double low = 0;   // the rounding error of high: at most half a unit in its last place

  friend constexpr bool operator==(const DoubleDouble&, const DoubleDouble&) = default;
};

/// a + b without error, both finite and their sum too.
constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// a − b, with an error of at most 2^-104 (|a| + |b|), not normalised: low may overlap high.
constexpr DoubleDouble difference(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble highs = two_sum(a.high, -b.high);
  return {highs.high, highs.low + (a.low - b.low)};
}

/// a + b, with an error of at most 2^-105 |a| from a's low part, not normalised.
constexpr DoubleDouble sum(DoubleDouble a, double b) {
  const DoubleDouble highs = two_sum(a.high, b);
  return {highs.high, highs.low + a.low};
}

}  // namespace apsp::base
