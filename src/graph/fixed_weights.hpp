// Weights and sums of paths as exact integers of 128 bits, in units of a power of two.
//
// The unit is 2^-93 of a power of two that no weight exceeds: a weight takes 94 bits, and sums over
// the edges of a path among 2^32 vertices stay below 2^127. Weights below 2^-40 of the largest lose
// their last bits, upwards. Integers have the unit 1.
//
// A bias of 2^-k |w| may be added to every weight: cycles that were meant to be zero and are
// negative by the rounding of decimals are then none.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/double_double.hpp"

namespace apsp::graph {

__extension__ using Fixed = __int128;

class FixedWeights {
 public:
  /// `largest`: no weight has a larger magnitude. `bias_bits` k; 0: no bias.
  FixedWeights(double largest, bool integral, int bias_bits)
      : shift_(integral ? 0 : shift_of_reals(largest)), bias_bits_(bias_bits) {}

  /// The weight itself, rounded up to a unit. Requires: no magnitude beyond the largest.
  Fixed exact(double weight) const {
    constexpr int kMantissaBits = 52, kBias = 1075;  // a double is mantissa · 2^(exponent − bias)
    const auto bits = std::bit_cast<std::uint64_t>(weight);
    const bool negative = bits >> 63 != 0;
    const int field = static_cast<int>(bits >> kMantissaBits & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
    const std::uint64_t mantissa =
        field == 0 ? fraction : fraction | std::uint64_t{1} << kMantissaBits;
    const int left = (field == 0 ? 1 : field) - kBias + shift_;
    if (left >= 0) return negative ? -(Fixed{mantissa} << left) : Fixed{mantissa} << left;
    const int right = -left;
    if (right > kMantissaBits) return negative || mantissa == 0 ? 0 : 1;
    const Fixed whole = mantissa >> right;
    const bool cut = (mantissa & ((std::uint64_t{1} << right) - 1)) != 0;
    return negative ? -whole : whole + (cut ? 1 : 0);
  }
  /// With the bias.
  Fixed biased(double weight) const {
    const Fixed value = exact(weight);
    return bias_bits_ == 0 ? value : value + (magnitude(value) >> bias_bits_);
  }
  static Fixed magnitude(Fixed value) { return value < 0 ? -value : value; }

  double to_double(Fixed value) const { return std::ldexp(static_cast<double>(value), -shift_); }
  /// Rounded to 106 bits.
  base::DoubleDouble to_double_double(Fixed value) const {
    const auto high = static_cast<double>(value);
    const auto low = static_cast<double>(value - static_cast<Fixed>(high));
    return {std::ldexp(high, -shift_), std::ldexp(low, -shift_)};
  }

 private:
  static constexpr int kFractionBits = 93;
  static int shift_of_reals(double largest) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    return kFractionBits - exponent;
  }

  int shift_;
  int bias_bits_;
};

}  // namespace apsp::graph
