// Longest path on acyclic graphs: ⊕ = max, ⊗ = +.
#pragma once

#include <algorithm>
#include <apsp/semiring.hpp>

#include "semiring/infinity.hpp"

namespace apsp::semiring {

template <class T>
struct MaxPlus {
  using Value = T;
  static constexpr Semiring kKind = Semiring::max_plus;
  static constexpr T zero() { return Infinity<T>::minus; }  // no path
  static constexpr T one() { return T(0); }                 // the empty path
  static constexpr bool better(T a, T b) { return a > b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) {
    if (a == zero() || b == zero()) return zero();
    return static_cast<T>(a + b);
  }
};

}  // namespace apsp::semiring
