// Widest path: ⊕ = max, ⊗ = min.
#pragma once

#include <algorithm>
#include <apsp/semiring.hpp>

#include "semiring/infinity.hpp"

namespace apsp::semiring {

template <class T>
struct MaxMin {
  using Value = T;
  static constexpr Semiring kKind = Semiring::max_min;
  static constexpr T zero() { return Infinity<T>::minus; }  // no path
  static constexpr T one() { return Infinity<T>::plus; }    // the empty path
  static constexpr bool better(T a, T b) { return a > b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) { return std::min(a, b); }
};

}  // namespace apsp::semiring
