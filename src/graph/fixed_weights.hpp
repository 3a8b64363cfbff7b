// Weights as exact integers (base/path_sum.hpp), with a bias if one is asked for.
//
// A bias of 2^-k |w| may be added to every weight: cycles that were meant to be zero and are
// negative by the rounding of decimals are then none.
#pragma once

#include <cmath>

#include "base/path_sum.hpp"

namespace apsp::graph {

using Fixed = base::PathSum;

class FixedWeights {
 public:
  /// `largest`: no weight has a larger magnitude. `bias_bits` k; 0: no bias.
  FixedWeights(double largest, bool integral, int bias_bits)
      : unit_(integral ? base::PathUnit::of_integers() : unit_of_reals(largest)),
        bias_bits_(bias_bits) {}

  /// The weight itself, rounded up to a unit.
  Fixed exact(double weight) const { return base::path_sum(weight, unit_.shift); }
  /// With the bias.
  Fixed biased(double weight) const {
    const Fixed value = exact(weight);
    return bias_bits_ == 0 ? value : value + (magnitude(value) >> bias_bits_);
  }
  static Fixed magnitude(Fixed value) { return value < 0 ? -value : value; }

  double to_double(Fixed value) const {
    return std::ldexp(static_cast<double>(value), -unit_.shift);
  }
  base::DoubleDouble to_double_double(Fixed value) const {
    return base::as_double_double(value, unit_);
  }

 private:
  static base::PathUnit unit_of_reals(double largest) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    return base::PathUnit::of_reals(exponent);
  }

  base::PathUnit unit_;
  int bias_bits_;
};

}  // namespace apsp::graph
