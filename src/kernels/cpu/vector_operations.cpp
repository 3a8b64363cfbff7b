// Vectors of every semiring and value type, compiled once per instruction set and chosen at run
// time. What is left at the end of a vector is loaded and stored in part: most rows of a factor are
// shorter than one vector.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vector_operations.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/register_tile-inl.h"
#include "kernels/cpu/relaxation-inl.h"
#include "kernels/cpu/vector_operations.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class Vectors {
 public:
  static VectorOperations operations() { return {&relax, &meet}; }

 private:
  using S = typename R::S;
  using T = typename R::T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  /// Sums that are kept apart, so that one minimum need not wait for the one before it.
  static constexpr std::int64_t kApart = 4;

  static HWY_INLINE V joined(V a, V guard, V x) {
    V product = R::times(a, x);
    if constexpr (R::kGuarded) product = R::guarded(product, guard, R::guard_of(D(), x));
    return product;
  }

  static void relax(const void* a, const void* x, void* y, std::int64_t n) {
    const D d;
    const T value = *static_cast<const T*>(a);
    const V of_a = hn::Set(d, value), guard = hn::Set(d, R::guard(value));
    const auto* from = static_cast<const T*>(x);
    auto* to = static_cast<T*>(y);
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      const V product = joined(of_a, guard, hn::LoadU(d, from + i));
      hn::StoreU(R::plus(hn::LoadU(d, to + i), product), d, to + i);
    }
    if (i < n) relax_end(value, from + i, to + i, n - i);
  }

  /// Fewer values than a vector has, in part where the instruction set leaves memory beyond alone.
  static HWY_INLINE void relax_end(T a, const T* x, T* y, std::int64_t n) {
#if HWY_MEM_OPS_MIGHT_FAULT
    for (std::int64_t i = 0; i < n; ++i) y[i] = S::plus(y[i], S::times(a, x[i]));
#else
    const D d;
    const auto first = hn::FirstN(d, static_cast<std::size_t>(n));
    const V product = joined(hn::Set(d, a), hn::Set(d, R::guard(a)), hn::MaskedLoad(first, d, x));
    hn::BlendedStore(R::plus(hn::MaskedLoad(first, d, y), product), first, d, y);
#endif
  }

  static HWY_INLINE V of_two(const T* x, const T* y) {
    const D d;
    const V a = hn::LoadU(d, x);
    V guard = a;
    if constexpr (R::kGuarded) guard = R::guard_of(d, a);
    return joined(a, guard, hn::LoadU(d, y));
  }

  static void meet(const void* x, const void* y, std::int64_t n, void* value) {
    const D d;
    const auto* a = static_cast<const T*>(x);
    const auto* b = static_cast<const T*>(y);
    V sums[kApart];
    APSP_UNROLL
    for (std::int64_t r = 0; r < kApart; ++r) sums[r] = hn::Set(d, S::zero());
    std::int64_t i = 0;
    for (; i + kApart * kLanes <= n; i += kApart * kLanes) {
      APSP_UNROLL
      for (std::int64_t r = 0; r < kApart; ++r) {
        sums[r] = R::plus(sums[r], of_two(a + i + r * kLanes, b + i + r * kLanes));
      }
    }
    for (; i + kLanes <= n; i += kLanes) sums[0] = R::plus(sums[0], of_two(a + i, b + i));
    APSP_UNROLL
    for (std::int64_t r = 1; r < kApart; ++r) sums[0] = R::plus(sums[0], sums[r]);
    HWY_ALIGN T lanes[kLanes];
    hn::Store(sums[0], d, lanes);
    T best = S::zero();
    for (const T lane : lanes) best = S::plus(best, lane);
    for (; i < n; ++i) best = S::plus(best, S::times(a[i], b[i]));
    *static_cast<T*>(value) = best;
  }
};

VectorOperations vector_operations(Semiring semiring, ValueType type, Sign sign) {
  return with_relaxation(semiring, type, sign, false,
                         []<class R>() { return Vectors<R>::operations(); });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(vector_operations);

VectorOperations vector_operations(Semiring semiring, ValueType type, Sign sign) {
  return HWY_DYNAMIC_DISPATCH(vector_operations)(semiring, type, sign);
}

}  // namespace apsp::kernels::cpu
#endif
