// Double-double numbers (some 106 bits of mantissa), and vertex potentials of this type.
//
// Sums contain no product, so compilers cannot contract them. Requires: no fast-math. Knuth 1969,
// §4.2.2 (two_sum); Dekker 1971.
//
// Potentials h change weights: the weight w of an arc u → v becomes w + h(u) − h(v) ≥ 0, and the
// length d of a path s … t becomes d + h(s) − h(t): best paths stay best, no weight is negative,
// and rounding cannot make a cycle negative (Johnson 1977). Sums are rounded once to T, so that
// large potentials cost small weights no digits. "No path" does not change. Longest paths are
// shortest ones of −w.
#pragma once

namespace apsp::base {

struct DoubleDouble {
  double high = 0;  // the sum, rounded to a double
  double low = 0;   // its rounding error, at most half a unit in its last place

  friend constexpr bool operator==(const DoubleDouble&, const DoubleDouble&) = default;
};

/// a + b without error. Requires: both and their sum are finite.
constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// a − b with an error of at most 2^-104 (|a| + |b|), not normalised: low may overlap high.
constexpr DoubleDouble difference(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble highs = two_sum(a.high, -b.high);
  return {highs.high, highs.low + (a.low - b.low)};
}

/// a + b with an error of at most 2^-105 |a| from a's low part, not normalised.
constexpr DoubleDouble sum(DoubleDouble a, double b) {
  const DoubleDouble highs = two_sum(a.high, b);
  return {highs.high, highs.low + a.low};
}

using Potential = DoubleDouble;

/// Greater values are "no path".
inline constexpr double kLargestFinite = 0x1.fffffffffffffp+1023;

/// max(+0, w + from − to), rounded to T; never −0, so that values compare as integers.
template <class T>
constexpr T reduced(T w, Potential from, Potential to) {
  const double weight = static_cast<double>(w);
  if (weight > kLargestFinite) return w;
  const Potential value = sum(difference(from, to), weight);
  const T rounded = static_cast<T>(value.high + value.low);
  return rounded > T(0) ? rounded : T(0);
}

/// The distance before the reduction: d + to − from, rounded to T.
template <class T>
constexpr T restored(T d, Potential from, Potential to) {
  const double distance = static_cast<double>(d);
  if (distance > kLargestFinite) return d;
  const Potential value = sum(difference(to, from), distance);
  return static_cast<T>(value.high + value.low);
}

}  // namespace apsp::base
