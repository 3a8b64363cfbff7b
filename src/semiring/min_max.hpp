// Minimax path: ⊕ = min, ⊗ = max.
#pragma once

#include <algorithm>
#include <apsp/semiring.hpp>

#include "semiring/infinity.hpp"

namespace apsp::semiring {

template <class T>
struct MinMax {
  using Value = T;
  static constexpr Semiring kKind = Semiring::min_max;
  static constexpr T zero() { return Infinity<T>::plus; }  // no path
  static constexpr T one() { return Infinity<T>::minus; }  // the empty path
  static constexpr bool better(T a, T b) { return a < b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) { return std::max(a, b); }
};

}  // namespace apsp::semiring
