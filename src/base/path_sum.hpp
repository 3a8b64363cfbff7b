// The weight of a path as an exact integer of 128 bits, in units of a power of two.
//
// With rounded sums a cycle of weight zero may seem to pay at every turn. The unit is 2^-93 of a
// power of two that no weight exceeds: a weight takes 94 bits, and sums over the edges of a path
// among 2^32 vertices stay below 2^127. Weights below 2^-40 of the largest lose their last bits,
// upwards. Every function is constexpr, so that CUDA's compiler takes them for the device too.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/double_double.hpp"

namespace apsp::base {

__extension__ using PathSum = __int128;

/// What a sum counts in.
struct PathUnit {
  int shift = 0;       // one is 2^-shift
  bool exact = false;  // weights are integers: nothing is added to them

  static constexpr int kFractionBits = 93;
  /// For integers of magnitude ≤ 2^53.
  static constexpr PathUnit of_integers() { return {0, true}; }
  /// `exponent`: no weight's magnitude exceeds 2^exponent.
  static constexpr PathUnit of_reals(int exponent) { return {kFractionBits - exponent, false}; }
};

/// The weight rounded up to a whole unit. Requires: finite, |weight| · 2^shift ≤ 2^93.
constexpr PathSum path_sum(double weight, int shift) {
  constexpr int kMantissaBits = 52, kBias = 1075;  // a double is mantissa · 2^(exponent − bias)
  const auto bits = std::bit_cast<std::uint64_t>(weight);
  const bool negative = bits >> 63 != 0;
  const int field = static_cast<int>(bits >> kMantissaBits & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  const std::uint64_t mantissa =
      field == 0 ? fraction : fraction | std::uint64_t{1} << kMantissaBits;
  const int left = (field == 0 ? 1 : field) - kBias + shift;
  PathSum magnitude = mantissa;
  if (left >= 0) {
    magnitude <<= left;
    return negative ? -magnitude : magnitude;
  }
  const int right = -left;
  const bool cut =
      right > kMantissaBits ? mantissa != 0 : (mantissa & ((std::uint64_t{1} << right) - 1)) != 0;
  magnitude = right > kMantissaBits ? 0 : mantissa >> right;
  return negative ? -magnitude : magnitude + (cut ? 1 : 0);
}

/// The weight that potentials are found for: reals with 2^-51 of their magnitude added, so that a
/// cycle whose sum is negative only within the rounding of its weights counts as none.
constexpr PathSum relaxed_weight(double weight, const PathUnit& unit) {
  const PathSum sum = path_sum(weight, unit.shift);
  return unit.exact ? sum : sum + ((sum < 0 ? -sum : sum) >> 51);
}

/// The sum in units of 1, rounded to 106 bits.
inline DoubleDouble as_double_double(PathSum sum, const PathUnit& unit) {
  const auto high = static_cast<double>(sum);
  const auto low = static_cast<double>(sum - static_cast<PathSum>(high));
  return {std::ldexp(high, -unit.shift), std::ldexp(low, -unit.shift)};
}

}  // namespace apsp::base
