// Vertex potentials, and what they turn weights and distances into.
//
// With potentials h the weight w of an arc u → v becomes w + h(u) − h(v) ≥ 0, and a path s … t of
// the length d the length d' = d + h(s) − h(t): the same paths are best, no weight is negative, and
// rounding can no longer turn a cycle negative (Johnson 1977). Sums are taken in double-double and
// rounded once to T, so potentials that are large beside the weights cost no digits. "No path"
// (+infinity) stays in both directions. Longest paths are shortest ones of −w.
#pragma once

#include "base/double_double.hpp"

namespace apsp::base {

/// high + low; |low| ≤ half a unit in the last place of high.
using Potential = DoubleDouble;

/// The largest double; anything beyond is "no path".
inline constexpr double kLargestFinite = 0x1.fffffffffffffp+1023;

/// max(+0, w + from − to), rounded to T: never −0, so that values may be compared as integers.
template <class T>
constexpr T reduced(T w, Potential from, Potential to) {
  const double weight = static_cast<double>(w);
  if (weight > kLargestFinite) return w;
  const Potential value = sum(difference(from, to), weight);
  const T rounded = static_cast<T>(value.high + value.low);
  return rounded > T(0) ? rounded : T(0);
}

/// d + to − from, rounded to T: the distance that d was reduced from.
template <class T>
constexpr T restored(T d, Potential from, Potential to) {
  const double distance = static_cast<double>(d);
  if (distance > kLargestFinite) return d;
  const Potential value = sum(difference(to, from), distance);
  return static_cast<T>(value.high + value.low);
}

}  // namespace apsp::base
