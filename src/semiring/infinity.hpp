// Exact infinities of each value type.
//
// Floats have them. Integers reserve a value whose double still fits the type, so that ⊗ of two of
// them cannot wrap before it is recognised (cuASR's `infinity + w` does): 2^30 − 1 for i32 and
// 2^15 − 1 for u16, whose packed GPU lanes also need the free top bit.
#pragma once

#include <cstdint>
#include <limits>

namespace apsp::semiring {

template <class T>
struct Infinity;

template <>
struct Infinity<float> {
  static constexpr float plus = std::numeric_limits<float>::infinity();
  static constexpr float minus = -plus;
};
template <>
struct Infinity<double> {
  static constexpr double plus = std::numeric_limits<double>::infinity();
  static constexpr double minus = -plus;
};
template <>
struct Infinity<std::int32_t> {
  static constexpr std::int32_t plus = (1 << 30) - 1;
  static constexpr std::int32_t minus = -plus;
};
/// Unsigned: "minus infinity" is 0, below every weight a bottleneck semiring may hold.
template <>
struct Infinity<std::uint16_t> {
  static constexpr std::uint16_t plus = (1 << 15) - 1;
  static constexpr std::uint16_t minus = 0;
};

}  // namespace apsp::semiring
