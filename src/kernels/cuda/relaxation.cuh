// One relaxation c ⊕ (a ⊗ b) in registers of a GPU, for each semiring and value type.
//
// Products keep operands in words of one or two values and take two pivots at a time, which suits
// Hopper's 3-input minimum. The cost is bounded by the two pipes (the integer ALU at half rate, the
// FMA pipe at full rate) and by one issued instruction per cycle and scheduler:
//
//   f32, non-negative   2 FADD + 1 integer minimum of three: such floats order like their bits
//   f32                 2 FADD + 2 FMNMX
//   i32, u16 × 2        of every 8 values, 4 take 2 IMAD (by a run-time one: on the FMA pipe) and
//                       one minimum of three, 4 the DPX add-and-minimum on the ALU
//   whole rows          as i32, unsigned
//   f64                 DADD, compare, two selects
//   min-max             2 maxima + 1 minimum of three, floats as integers of the same order
//
// "No path" is infinity for floats. Two "no path" integers do not wrap when added
// (semiring/semirings), but one plus a negative weight looks like a path; `Signed` restores such
// values when a sum is stored. They are off by at most two distances, which limits distances to
// 2^28.
//
// ⊕ is always a minimum; semirings of maxima run negated (`Negation`).
#pragma once

#include <cstdint>
#include <type_traits>

#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {

// Semirings of maxima on kernels of minima.
//
// Max-min is min-max of the negated values, and max-plus is min-plus of them: the order is
// reversed, and "no path" and the empty path are negated too. Kernels are compiled only for minima
// and negate values when they read and write matrices, outside all loops over pivots. Packed
// operands stay negated.
//
// Negation flips the sign of a number; converted back, sums have one zero. Values of 16 bits, which
// are below 2^15, have their 15 bits inverted.

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

template <class T>
struct Bottleneck;  // min-max values as integers of the same order

template <>
struct Bottleneck<float> {
  using Word = std::int32_t;
  static __device__ Word word(float value) {
    const std::int32_t bits = __float_as_int(value);
    return bits ^ ((bits >> 31) & 0x7fffffff);
  }
  static __device__ float value(Word word) {
    return __int_as_float(word ^ ((word >> 31) & 0x7fffffff));
  }
};
template <>
struct Bottleneck<std::int32_t> {
  using Word = std::int32_t;
  static __device__ Word word(std::int32_t value) { return value; }
  static __device__ std::int32_t value(Word word) { return word; }
};

/// a ⊗ b without a test for "no path": the arithmetic of infinities gives the same.
template <class S>
__device__ typename S::Value times_of(typename S::Value a, typename S::Value b) {
  if constexpr (S::kKind == Semiring::min_plus) {
    return static_cast<typename S::Value>(a + b);
  } else {
    return a < b ? b : a;
  }
}

/// a ⊕ b; no value is NaN.
template <class S>
__device__ typename S::Value plus_of(typename S::Value a, typename S::Value b) {
  if constexpr (std::is_same_v<typename S::Value, float>) {
    return fminf(a, b);
  } else {
    return a < b ? a : b;
  }
}

template <class S>
__device__ typename S::Value plus_of(typename S::Value a, typename S::Value b,
                                     typename S::Value c) {
  if constexpr (std::is_same_v<typename S::Value, std::int32_t>) {
    return __vimin3_s32(a, b, c);
  } else {
    return plus_of<S>(plus_of<S>(a, b), c);
  }
}

/// Conversion of values and words between matrix and kernel; the identity for most relaxations.
template <class S_>
struct AsTheyAre {
  using S = S_;
  using Value = typename S::Value;
  static constexpr bool kNegates = false;
  /// Gives every form of "no path" in a finished value or word the same value.
  template <class T>
  static __device__ T settle(T value) {
    return value;
  }
  /// Converts a value or a word of the matrix to the form of kernels, and back.
  template <class T>
  static __device__ T negated(T value, const Negation&) {
    return value;
  }
  template <class T>
  static __device__ T restored(T value, const Negation&) {
    return value;
  }
  // ⊗ of single values. A value worse than "no path" loses in ⊕.
  static __device__ Value times(Value a, Value b) { return times_of<S>(a, b); }
  static __device__ Value plus(Value a, Value b, Value c) { return plus_of<S>(a, b, c); }
};

/// Members of every relaxation: S, the values in memory; Operand and Sum, the words of operands and
/// results; kLanes, columns per word. Defaults for one unchanged value per word.
template <class S>
struct OneValueAWord : AsTheyAre<S> {
  using Value = typename S::Value;
  using Operand = Value;
  using Sum = Value;
  static constexpr int kLanes = 1;
  static __device__ Operand left(Value value) { return value; }
  static __device__ Operand right(const Value* values) { return values[0]; }
  static __device__ Sum load(const Value* values) { return values[0]; }
  static __device__ void store(Sum sum, Value* values) { values[0] = sum; }
};

/// Two 16-bit values per word, neighbours in a row. Operands of the left side are in both halves.
template <class S>
struct TwoValuesAWord : AsTheyAre<S> {
  using Value = typename S::Value;
  using Operand = std::uint32_t;
  using Sum = std::uint32_t;
  static constexpr int kLanes = 2;
  static __device__ Operand left(Value value) { return value * 0x10001u; }
  static __device__ Operand right(const Value* values) {
    return values[0] | static_cast<std::uint32_t>(values[1]) << 16;
  }
  static __device__ Sum load(const Value* values) { return right(values); }
  static __device__ void store(Sum sum, Value* values) {
    values[0] = static_cast<Value>(sum & 0xffff);
    values[1] = static_cast<Value>(sum >> 16);
  }
};

template <class R>
__device__ typename R::Sum no_path_sum() {
  typename R::Value none[R::kLanes];
#pragma unroll
  for (int v = 0; v < R::kLanes; ++v) none[v] = R::S::zero();
  return R::load(none);
}

template <class S>
struct Relaxation;

template <>
struct Relaxation<semiring::MinPlus<float>> : Negating<OneValueAWord<semiring::MinPlus<float>>> {
  static __device__ void relax(int, int, Sum& c, float a0, float b0, float a1, float b1) {
    c = fminf(fminf(c, a0 + b0), a1 + b1);
  }
};

struct NonNegative : OneValueAWord<semiring::MinPlus<float>> {
  using Sum = std::int32_t;
  static __device__ Sum load(const float* values) { return __float_as_int(values[0]); }
  static __device__ void store(Sum sum, float* values) { values[0] = __int_as_float(sum); }
  static __device__ float plus(float a, float b, float c) {
    return __int_as_float(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
  }
  static __device__ void relax(int, int, Sum& c, float a0, float b0, float a1, float b1) {
    c = __vimin3_s32(c, __float_as_int(a0 + b0), __float_as_int(a1 + b1));
  }
};

template <>
struct Relaxation<semiring::MinPlus<double>> : Negating<OneValueAWord<semiring::MinPlus<double>>> {
  static __device__ void relax(int, int, Sum& c, double a0, double b0, double a1, double b1) {
    const double first = a0 + b0;
    const double second = a1 + b1;
    c = first < c ? first : c;
    c = second < c ? second : c;
  }
};

/// How many of eight neighbouring values use both pipes; the others use DPX instructions.
inline constexpr int kMixed = 4;

template <>
struct Relaxation<semiring::MinPlus<std::int32_t>>
    : OneValueAWord<semiring::MinPlus<std::int32_t>> {
  static __device__ void relax(int slot, int one, Sum& c, int a0, int b0, int a1, int b1) {
    if (slot % 8 < kMixed) {
      c = __vimin3_s32(c, a0 * one + b0, a1 * one + b1);
    } else {
      c = __viaddmin_s32(a1, b1, __viaddmin_s32(a0, b0, c));
    }
  }
};

/// Gathered rows of `ListedForm::whole`. Values are below 2^31: sums of two fit unsigned 32 bits.
struct WholeRows : OneValueAWord<semiring::MinPlus<std::uint32_t>> {
  static __device__ void relax(int slot, int one, Sum& c, unsigned a0, unsigned b0, unsigned a1,
                               unsigned b1) {
    if (slot % 8 < kMixed) {
      const auto factor = static_cast<unsigned>(one);
      c = __vimin3_u32(c, a0 * factor + b0, a1 * factor + b1);
    } else {
      c = __viaddmin_u32(a1, b1, __viaddmin_u32(a0, b0, c));
    }
  }
};

/// Sums of integers of any sign. Requires: every distance is below 2^28 in magnitude.
struct Signed : Negating<Relaxation<semiring::MinPlus<std::int32_t>>> {
  static __device__ std::int32_t settle(std::int32_t value) {
    constexpr std::int32_t kLimit = 1 << 28;
    return value >= kLimit ? S::zero() : value;
  }
};

template <>
struct Relaxation<semiring::MinPlus<std::uint16_t>>
    : TwoValuesAWord<semiring::MinPlus<std::uint16_t>> {
  static __device__ void relax(int slot, int one, Sum& c, unsigned a0, unsigned b0, unsigned a1,
                               unsigned b1) {
    if (slot % 8 < kMixed) {  // values are below 2^15: no carry between the halves
      const auto factor = static_cast<unsigned>(one);
      c = __vimin3_u16x2(c, a0 * factor + b0, a1 * factor + b1);
    } else {
      c = __viaddmin_u16x2(a1, b1, __viaddmin_u16x2(a0, b0, c));
    }
  }
};

template <class Value_>
struct BottleneckRelaxation : Negating<OneValueAWord<semiring::MinMax<Value_>>> {
  using Value = Value_;
  using Order = Bottleneck<Value>;
  using Operand = typename Order::Word;
  using Sum = Operand;
  static __device__ Operand left(Value value) { return Order::word(value); }
  static __device__ Operand right(const Value* values) { return Order::word(values[0]); }
  static __device__ Sum load(const Value* values) { return Order::word(values[0]); }
  static __device__ void store(Sum sum, Value* values) { values[0] = Order::value(sum); }
  static __device__ void relax(int, int, Sum& c, int a0, int b0, int a1, int b1) {
    c = __vimin3_s32(c, max(a0, b0), max(a1, b1));
  }
};

template <>
struct Relaxation<semiring::MinMax<float>> : BottleneckRelaxation<float> {};
template <>
struct Relaxation<semiring::MinMax<std::int32_t>> : BottleneckRelaxation<std::int32_t> {};

template <>
struct Relaxation<semiring::MinMax<std::uint16_t>>
    : Negating<TwoValuesAWord<semiring::MinMax<std::uint16_t>>> {
  static __device__ void relax(int, int, Sum& c, unsigned a0, unsigned b0, unsigned a1,
                               unsigned b1) {
    c = __vimin3_u16x2(c, __vmaxu2(a0, b0), __vmaxu2(a1, b1));
  }
};

template <>
struct Relaxation<semiring::MinMax<double>> : Negating<OneValueAWord<semiring::MinMax<double>>> {
  static __device__ void relax(int, int, Sum& c, double a0, double b0, double a1, double b1) {
    const double first = a0 > b0 ? a0 : b0;
    const double second = a1 > b1 ? a1 : b1;
    c = first < c ? first : c;
    c = second < c ? second : c;
  }
};

/// Calls f.operator()<R>() with the relaxation of min-plus over a type, for max-plus too. Values of
/// `non_negative` sums may take a faster one.
template <class F>
auto with_sum(ValueType type, bool non_negative, F&& f) {
  using semiring::MinPlus;
  switch (type) {
    case ValueType::f64:
      return f.template operator()<Relaxation<MinPlus<double>>>();
    case ValueType::i32:
      return non_negative ? f.template operator()<Relaxation<MinPlus<std::int32_t>>>()
                          : f.template operator()<Signed>();
    case ValueType::u16:
      return f.template operator()<Relaxation<MinPlus<std::uint16_t>>>();
    default:
      return non_negative ? f.template operator()<NonNegative>()
                          : f.template operator()<Relaxation<MinPlus<float>>>();
  }
}

/// The same with the relaxation of min-max, for max-min too.
template <class F>
auto with_bottleneck(ValueType type, F&& f) {
  using semiring::MinMax;
  switch (type) {
    case ValueType::f64:
      return f.template operator()<Relaxation<MinMax<double>>>();
    case ValueType::i32:
      return f.template operator()<Relaxation<MinMax<std::int32_t>>>();
    case ValueType::u16:
      return f.template operator()<Relaxation<MinMax<std::uint16_t>>>();
    default:
      return f.template operator()<Relaxation<MinMax<float>>>();
  }
}

}  // namespace apsp::kernels::cuda
