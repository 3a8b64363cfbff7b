// Reachability: ⊕ = or, ⊗ = and, over bytes that hold 0 or 1.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

namespace apsp::semiring {

template <class T>
struct OrAnd {
  using Value = T;
  static constexpr Semiring kKind = Semiring::or_and;
  static constexpr T zero() { return 0; }  // no path
  static constexpr T one() { return 1; }   // the empty path
  static constexpr bool better(T a, T b) { return a > b; }
  static constexpr T plus(T a, T b) { return static_cast<T>(a | b); }
  static constexpr T times(T a, T b) { return static_cast<T>(a & b); }
};

}  // namespace apsp::semiring
