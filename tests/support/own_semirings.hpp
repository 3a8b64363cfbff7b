// Semirings of one's own: of plain values and of wider ones, among them one whose ⊗ depends on the
// order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace apsp {

struct Sums {
  using Value = std::int32_t;
  static constexpr Value zero() { return (1 << 30) - 1; }
  static constexpr Value one() { return 0; }
  static constexpr Value plus(Value a, Value b) { return std::min(a, b); }
  static constexpr Value times(Value a, Value b) { return std::min(a + b, zero()); }
};

/// Shortest, and of the shortest the widest: 8 bytes.
struct ShortestWidest {
  struct Value {
    std::int32_t length = Sums::zero();
    std::int32_t width = 0;
    bool operator==(const Value&) const = default;
  };
  static constexpr Value zero() { return {}; }
  static constexpr Value one() { return {0, std::numeric_limits<std::int32_t>::max()}; }
  static constexpr Value plus(Value a, Value b) {
    return b.length < a.length || (b.length == a.length && b.width > a.width) ? b : a;
  }
  static constexpr Value times(Value a, Value b) {
    if (a == zero() || b == zero()) return zero();
    return {a.length + b.length, std::min(a.width, b.width)};
  }
};

/// Least sum, then fewest edges, then the label of the first edge: 12 bytes, and ⊗ depends on the
/// order.
struct FirstEdge {
  struct Value {
    std::int32_t length = Sums::zero(), edges = 0, label = 0;
    bool operator==(const Value&) const = default;
  };
  static constexpr Value zero() { return {}; }
  static constexpr Value one() { return {0, 0, 0}; }
  static constexpr auto key(Value a) { return std::array{a.length, a.edges, a.label}; }
  static constexpr Value plus(Value a, Value b) { return key(b) < key(a) ? b : a; }
  static constexpr Value times(Value a, Value b) {
    if (a == zero() || b == zero()) return zero();
    return {a.length + b.length, a.edges + b.edges, a.edges > 0 ? a.label : b.label};
  }
};

/// Reachability in 128 graphs at once: 16 bytes.
struct Sets {
  struct Value {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Value&) const = default;
  };
  static constexpr Value zero() { return {}; }
  static constexpr Value one() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  static constexpr Value plus(Value a, Value b) { return {a.low | b.low, a.high | b.high}; }
  static constexpr Value times(Value a, Value b) { return {a.low & b.low, a.high & b.high}; }
};

/// A value of one edge. `whole(most)` gives a number from 1 to `most`.
template <class S, class Whole>
typename S::Value edge_value(Whole&& whole) {
  if constexpr (std::is_same_v<S, ShortestWidest>) {
    return {whole(20), whole(20)};
  } else if constexpr (std::is_same_v<S, FirstEdge>) {
    return {whole(20), 1, whole(1000)};
  } else if constexpr (std::is_same_v<S, Sets>) {
    const auto bits = [&] {
      return static_cast<std::uint64_t>(whole(1 << 30)) * 0x9E3779B97F4A7C15;
    };
    return {bits(), bits()};
  } else {
    return static_cast<typename S::Value>(whole(100));
  }
}

}  // namespace apsp
