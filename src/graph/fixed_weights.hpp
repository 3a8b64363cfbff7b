// Weights as 128-bit integers of one unit, so that sums are exact.
//
// The unit is 2^-93 of the largest weight: a path of 2^32 arcs stays below 2^127, and a weight down
// to 2^-40 of the largest keeps all its bits (smaller ones are rounded up to a unit). Integral
// weights have the unit 1. A bias of 2^-k |w| may be added to every weight: cycles that were meant
// to be zero and are negative by the rounding of decimals are then none.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/double_double.hpp"

namespace apsp::graph {

__extension__ using Fixed = __int128;

class FixedWeights {
 public:
  /// `largest`: no weight has a larger magnitude. `bias_bits` k; 0: no bias.
  FixedWeights(double largest, bool integral, int bias_bits)
      : integral_(integral), bias_bits_(bias_bits) {
    if (integral || largest == 0) return;
    int exponent = 0;
    std::frexp(largest, &exponent);
    shift_ = kFractionBits - exponent;
  }

  /// The weight itself, rounded up to a unit.
  Fixed exact(double weight) const {
    if (integral_) return static_cast<std::int64_t>(weight);
    int exponent = 0;
    const double fraction = std::frexp(weight, &exponent);
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kMantissaBits));
    const int left = exponent - kMantissaBits + shift_;
    if (left >= 0) return static_cast<Fixed>(mantissa) * (Fixed{1} << left);
    if (left < -kMantissaBits - 1) return mantissa > 0 ? 1 : 0;
    return -((-static_cast<Fixed>(mantissa)) >> -left);
  }
  /// With the bias.
  Fixed biased(double weight) const {
    const Fixed value = exact(weight);
    return bias_bits_ == 0 ? value : value + (magnitude(value) >> bias_bits_);
  }
  static Fixed magnitude(Fixed value) { return value < 0 ? -value : value; }

  double to_double(Fixed value) const { return std::ldexp(static_cast<double>(value), -shift_); }
  base::DoubleDouble to_double_double(Fixed value) const {
    const auto high = static_cast<double>(value);
    const auto low = static_cast<double>(value - static_cast<Fixed>(high));
    return {std::ldexp(high, -shift_), std::ldexp(low, -shift_)};
  }

 private:
  static constexpr int kFractionBits = 93;
  static constexpr int kMantissaBits = 53;

  bool integral_;
  int bias_bits_;
  int shift_ = 0;
};

}  // namespace apsp::graph
