// One relaxation c ⊕ (a ⊗ b) in vectors, for each semiring. Included once per instruction set.
//
// A micro-kernel has a as a broadcast and b as a loaded vector. "No path" of signed integers plus
// a negative weight must not look like a path: both operands have a guard, a bound on a ⊗ b, which
// costs two more instructions per relaxation.

#if defined(APSP_KERNELS_CPU_RELAXATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_RELAXATION_INL_H_
#undef APSP_KERNELS_CPU_RELAXATION_INL_H_
#else
#define APSP_KERNELS_CPU_RELAXATION_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/contract.hpp"
#include "semiring/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The minimum of two floats in min-plus. Non-negative floats order like their bits, and on some
/// processors the integer minimum leaves the floating-point ports to the additions.
enum class Least { by_value, by_bits };

template <class S_, Sign kSign, Least kMinimum = Least::by_value>
struct Relaxation {
  using S = S_;
  using T = typename S::Value;
  static constexpr Semiring kKind = S::kKind;
  static constexpr bool kLeast = kKind == Semiring::min_plus || kKind == Semiring::min_max;
  static constexpr bool kSum = kKind == Semiring::min_plus || kKind == Semiring::max_plus;
  static constexpr bool kGuarded = kSum && std::is_integral_v<T> && std::is_signed_v<T> &&
                                   (kSign == Sign::any || kKind == Semiring::max_plus);

  static constexpr T kAnything =
      kLeast ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();

  /// The best value that a product with this operand may have.
  static constexpr T guard(T operand) { return operand == S::zero() ? S::zero() : kAnything; }

  template <class V>
  static HWY_INLINE V plus(V a, V b) {
    if constexpr (kKind == Semiring::or_and) {
      return hn::Or(a, b);
    } else if constexpr (kMinimum == Least::by_bits) {
      const hn::RebindToSigned<hn::DFromV<V>> bits;
      return hn::BitCast(hn::DFromV<V>(), hn::Min(hn::BitCast(bits, a), hn::BitCast(bits, b)));
    } else if constexpr (kLeast) {
      return hn::Min(a, b);
    } else {
      return hn::Max(a, b);
    }
  }

  template <class V>
  static HWY_INLINE V times(V a, V b) {
    if constexpr (kKind == Semiring::or_and) {
      return hn::And(a, b);
    } else if constexpr (kSum) {
      return hn::Add(a, b);
    } else if constexpr (kLeast) {
      return hn::Max(a, b);
    } else {
      return hn::Min(a, b);
    }
  }

  /// Limits `product` by both guards; a value beyond "no path" then loses to c in `plus`.
  template <class V>
  static HWY_INLINE V guarded(V product, V guard_a, V guard_b) {
    if constexpr (kLeast) {
      return hn::Max(hn::Max(product, guard_a), guard_b);
    } else {
      return hn::Min(hn::Min(product, guard_a), guard_b);
    }
  }

  template <class D, class V>
  static HWY_INLINE V guard_of(D d, V operand) {
    const V zero = hn::Set(d, S::zero());
    const V anything = hn::Set(d, guard(S::one()));
    return hn::IfThenElse(hn::Eq(operand, zero), zero, anything);
  }
};

/// Returns f<R>() with the relaxation of a supported semiring and value type. `by_bits`: minima of
/// floats on their bits (min-plus). Requires then: no negative values.
template <class F>
auto with_relaxation(Semiring semiring, ValueType type, Sign sign, bool by_bits, F&& f) {
  return semiring::dispatch(semiring, type, [&]<class S>() {
    using T = typename S::Value;
    if constexpr (S::kKind == Semiring::min_plus && std::is_floating_point_v<T>) {
      if (by_bits) return f.template operator()<Relaxation<S, Sign::any, Least::by_bits>>();
    } else if constexpr (S::kKind == Semiring::min_plus && std::is_signed_v<T>) {
      if (sign == Sign::non_negative) {
        return f.template operator()<Relaxation<S, Sign::non_negative>>();
      }
    }
    return f.template operator()<Relaxation<S, Sign::any>>();
  });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
