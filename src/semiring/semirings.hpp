// The semirings as structs, and the exact infinities of their value types.
//
// ⊕ (`plus`) chooses between two paths, ⊗ (`times`) joins two paths. `zero` is the value of no
// path, `one` that of the empty path.
//
// Floats have infinities. Integers reserve a value whose double still fits the type, so that ⊗ of
// two of them cannot wrap: 2^30 − 1 for i32 and 2^15 − 1 for u16, whose packed GPU lanes also need
// the free top bit.
#pragma once

#include <algorithm>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace apsp::semiring {

template <class T>
struct Infinity {
  static_assert(std::is_floating_point_v<T>);
  static constexpr T plus = std::numeric_limits<T>::infinity();
  static constexpr T minus = -plus;
};
template <>
struct Infinity<std::int32_t> {
  static constexpr std::int32_t plus = (1 << 30) - 1;
  static constexpr std::int32_t minus = -plus;
};
/// Used by gathered rows on a GPU (kernels/listed_rows.hpp); the sum of two fits.
template <>
struct Infinity<std::uint32_t> {
  static constexpr std::uint32_t plus = (std::uint32_t{1} << 31) - 1;
  static constexpr std::uint32_t minus = 0;
};
/// Unsigned: "minus infinity" is 0, below every weight of a bottleneck semiring.
template <>
struct Infinity<std::uint16_t> {
  static constexpr std::uint16_t plus = (1 << 15) - 1;
  static constexpr std::uint16_t minus = 0;
};

/// a + b; integers wrap, as in vectors, because the values of a damaged factor are arbitrary.
template <class T>
constexpr T wrapping_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Bits>(a) + static_cast<Bits>(b));
  } else {
    return a + b;
  }
}

/// Shortest path: ⊕ = min, ⊗ = +.
template <class T>
struct MinPlus {
  using Value = T;
  static constexpr Semiring kKind = Semiring::min_plus;
  static constexpr T zero() { return Infinity<T>::plus; }
  static constexpr T one() { return T(0); }
  static constexpr bool better(T a, T b) { return a < b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) {
    if (a == zero() || b == zero()) return zero();
    return wrapping_sum(a, b);
  }
};

/// Longest path on acyclic graphs: ⊕ = max, ⊗ = +.
template <class T>
struct MaxPlus {
  using Value = T;
  static constexpr Semiring kKind = Semiring::max_plus;
  static constexpr T zero() { return Infinity<T>::minus; }
  static constexpr T one() { return T(0); }
  static constexpr bool better(T a, T b) { return a > b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) {
    if (a == zero() || b == zero()) return zero();
    return wrapping_sum(a, b);
  }
};

/// Widest path: ⊕ = max, ⊗ = min.
template <class T>
struct MaxMin {
  using Value = T;
  static constexpr Semiring kKind = Semiring::max_min;
  static constexpr T zero() { return Infinity<T>::minus; }
  static constexpr T one() { return Infinity<T>::plus; }
  static constexpr bool better(T a, T b) { return a > b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) { return std::min(a, b); }
};

/// Minimax path: ⊕ = min, ⊗ = max.
template <class T>
struct MinMax {
  using Value = T;
  static constexpr Semiring kKind = Semiring::min_max;
  static constexpr T zero() { return Infinity<T>::plus; }
  static constexpr T one() { return Infinity<T>::minus; }
  static constexpr bool better(T a, T b) { return a < b; }
  static constexpr T plus(T a, T b) { return better(b, a) ? b : a; }
  static constexpr T times(T a, T b) { return std::max(a, b); }
};

/// Reachability: ⊕ = or, ⊗ = and, over bytes that hold 0 or 1.
template <class T>
struct OrAnd {
  using Value = T;
  static constexpr Semiring kKind = Semiring::or_and;
  static constexpr T zero() { return 0; }
  static constexpr T one() { return 1; }
  static constexpr bool better(T a, T b) { return a > b; }
  static constexpr T plus(T a, T b) { return static_cast<T>(a | b); }
  static constexpr T times(T a, T b) { return static_cast<T>(a & b); }
};

/// Whether some weights do not fit the type, or are its "no path".
template <class S, class Weight>
inline constexpr bool kWeightsMayExceed =
    S::kKind == Semiring::min_plus&& std::is_integral_v<typename S::Value>&& static_cast<double>(
                    std::numeric_limits<Weight>::max()) > static_cast<double>(S::zero());

/// Returns the value of an arc of this weight; without weights, of the empty path. Integer types of
/// shortest paths are chosen by the distances (planner/value_type.hpp): weights that do not fit are
/// on no shortest path and count as no path.
template <class S, class Weight>
constexpr typename S::Value weight_as([[maybe_unused]] Weight weight) {
  using T = typename S::Value;
  if constexpr (S::kKind == Semiring::or_and) {
    return S::one();
  } else if constexpr (kWeightsMayExceed<S, Weight>) {
    constexpr auto kNone = static_cast<Weight>(S::zero());
    return weight < kNone ? static_cast<T>(weight) : S::zero();
  } else {
    return static_cast<T>(weight);
  }
}

}  // namespace apsp::semiring
