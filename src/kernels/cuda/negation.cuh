// Semirings of maxima on kernels of minima.
//
// Max-min is min-max of the negated values, and max-plus is min-plus of them: the order is
// reversed, and "no path" and the empty path are negated too. Kernels are compiled only for minima
// and negate values when they read and write matrices, outside all loops over pivots. Packed
// operands stay negated.
//
// Negation flips the sign of a number; converted back, sums have one zero. Values of 16 bits, which
// are below 2^15, have their 15 bits inverted.
#pragma once

#include <cstdint>
#include <type_traits>

#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {

/// Masks for values as they are or negated; each is an operand of one instruction.
struct Negation {
  double f64 = 1;
  float f32 = 1;
  std::int32_t i32 = 1;
  std::uint32_t sign = 0;      // bits of a float to flip
  std::uint32_t inverted = 0;  // bits of an integer that orders like floats
  std::uint32_t pair = 0;      // bits of two values of 16 bits

  static constexpr Negation round() { return {-1, -1, -1, 1u << 31, ~0u, 0x7fff7fff}; }
};

__device__ inline float negated_value(float value, const Negation& negation) {
  return __uint_as_float(__float_as_uint(value) ^ negation.sign);
}
__device__ inline double negated_value(double value, const Negation& negation) {
  return __hiloint2double(__double2hiint(value) ^ static_cast<int>(negation.sign),
                          __double2loint(value));
}
__device__ inline std::int32_t negated_value(std::int32_t value, const Negation& negation) {
  return value * negation.i32;
}
__device__ inline std::uint16_t negated_value(std::uint16_t value, const Negation& negation) {
  return static_cast<std::uint16_t>(value ^ (negation.pair & 0xffff));
}

template <class Form>
struct Negating : Form {
  static constexpr bool kNegates = true;

  template <class T>
  static __device__ T negated(T value, const Negation& negation) {
    if constexpr (std::is_same_v<T, typename Form::Value>) {
      return negated_value(value, negation);
    } else if constexpr (Form::kLanes == 2) {
      return value ^ negation.pair;
    } else {
      return static_cast<T>(value ^ negation.inverted);
    }
  }
  template <class T>
  static __device__ T restored(T value, const Negation& negation) {
    if constexpr (Form::S::kKind == Semiring::min_plus && std::is_same_v<T, float>) {
      return fmaf(value, negation.f32, 0.0F);
    } else if constexpr (Form::S::kKind == Semiring::min_plus && std::is_same_v<T, double>) {
      return fma(value, negation.f64, 0.0);
    } else {
      return negated(value, negation);
    }
  }
};

}  // namespace apsp::kernels::cuda
