// Operations on vectors. Ends of vectors are loaded and stored in part, because most rows of a
// factor are shorter than one vector.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vector_operations.cpp"
#include "base/targets.hpp"

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
  static VectorOperations operations() { return {&relax, &meet, &meet_gathered, &descend}; }

 private:
  using S = typename R::S;
  using T = typename R::T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  /// Independent accumulators, so that a minimum need not wait for the previous one.
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

  /// Relaxes fewer values than a vector holds, masked if masked memory accesses cannot fault.
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

  template <class Tag, class Vector>
  static HWY_INLINE Vector of_two(Tag d, Vector a, Vector b) {
    Vector product = R::times(a, b);
    if constexpr (R::kGuarded) {
      product = R::guarded(product, R::guard_of(d, a), R::guard_of(d, b));
    }
    return product;
  }
  static HWY_INLINE V of_two(const T* x, const T* y) {
    const D d;
    return of_two(d, hn::LoadU(d, x), hn::LoadU(d, y));
  }

  template <class Tag>
  static HWY_INLINE T all_of(Tag d, hn::Vec<Tag> v) {
    if constexpr (R::kKind == Semiring::or_and) {
      HWY_ALIGN T lanes[hn::MaxLanes(Tag())];
      hn::Store(v, d, lanes);
      T best = S::zero();
      for (const T lane : lanes) best = S::plus(best, lane);
      return best;
    } else if constexpr (R::kLeast) {
      return hn::GetLane(hn::MinOfLanes(d, v));
    } else {
      return hn::GetLane(hn::MaxOfLanes(d, v));
    }
  }

  static void meet(const void* x, const void* y, std::int64_t n, void* value) {
    *static_cast<T*>(value) = met(static_cast<const T*>(x), static_cast<const T*>(y), n);
  }

  static HWY_INLINE T met(const T* a, const T* b, std::int64_t n) {
    const D d;
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
#if HWY_MEM_OPS_MIGHT_FAULT
    T best = all_of(d, sums[0]);
    for (; i < n; ++i) best = S::plus(best, S::times(a[i], b[i]));
    return best;
#else
    if (i < n) {
      const auto first = hn::FirstN(d, static_cast<std::size_t>(n - i));
      const V products =
          of_two(d, hn::MaskedLoad(first, d, a + i), hn::MaskedLoad(first, d, b + i));
      sums[0] = R::plus(sums[0], hn::IfThenElse(first, products, hn::Set(d, S::zero())));
    }
    return all_of(d, sums[0]);
#endif
  }

  // Most column structures of a road network's factor fit in one short vector, without a loop.

  using Few = hn::CappedTag<T, 8>;
  static constexpr std::int64_t kFew = static_cast<std::int64_t>(hn::MaxLanes(Few()));
  static constexpr bool kTakesFew =
      !HWY_MEM_OPS_MIGHT_FAULT && kFew == 8 && (sizeof(T) == 2 || sizeof(T) == 4);

#if !HWY_MEM_OPS_MIGHT_FAULT && HWY_TARGET != HWY_SCALAR
  /// from[places[k]] for k < n, then arbitrary elements.
  static HWY_INLINE hn::Vec<Few> gathered(const T* from, const std::int32_t* places,
                                          std::int64_t n) {
    const Few d;
    if constexpr (sizeof(T) == 4) {
      const hn::RebindToSigned<Few> of_places;
      const auto first = hn::FirstN(of_places, static_cast<std::size_t>(n));
      return hn::GatherIndex(d, from, hn::MaskedLoad(first, of_places, places));
    } else {
      // Two words, because loading a vector of single values that were just stored would stall.
      using Words = hn::Repartition<std::uint64_t, Few>;
      const Words words;
      const hn::Half<Words> word;
      std::uint64_t of[2] = {};
      APSP_UNROLL
      for (std::int64_t k = 0; k < 8; ++k) {
        const T value = from[places[k < n ? k : 0]];
        of[k / 4] |= std::uint64_t{static_cast<std::uint16_t>(value)} << (16 * (k % 4));
      }
      return hn::BitCast(d, hn::Combine(words, hn::Set(word, of[1]), hn::Set(word, of[0])));
    }
  }

  static HWY_INLINE void meet_few(const T* x, std::int64_t rows, const T* from,
                                  const std::int32_t* places, std::int64_t n, T* values) {
    const Few d;
    const auto y = gathered(from, places, n);
    const auto first = hn::FirstN(d, static_cast<std::size_t>(n));
    const auto none = hn::Set(d, S::zero());
    for (std::int64_t j = 0; j < rows; ++j, x += n) {
      const auto products = of_two(d, hn::MaskedLoad(first, d, x), y);
      values[j] = S::plus(values[j], all_of(d, hn::IfThenElse(first, products, none)));
    }
  }
#endif

  static void meet_gathered(const void* x, std::int64_t rows, const void* from,
                            const std::int32_t* places, std::int64_t n, void* values) {
    const auto* const a = static_cast<const T*>(x);
    const auto* const b = static_cast<const T*>(from);
    auto* const to = static_cast<T*>(values);
    if (n == 0) return;
#if !HWY_MEM_OPS_MIGHT_FAULT && HWY_TARGET != HWY_SCALAR
    if constexpr (kTakesFew) {
      if (n <= kFew) return meet_few(a, rows, b, places, n, to);
    }
#endif
    constexpr std::int64_t kPart = 256;
    HWY_ALIGN T part[kPart];
    for (std::int64_t begin = 0; begin < n; begin += kPart) {
      const std::int64_t count = HWY_MIN(kPart, n - begin);
      for (std::int64_t k = 0; k < count; ++k) part[k] = b[places[begin + k]];
      for (std::int64_t j = 0; j < rows; ++j) {
        to[j] = S::plus(to[j], met(a + j * n + begin, part, count));
      }
    }
  }

  // Most blocks of a road network's factor have few vertices: shorter vectors are faster.
  using Short = hn::CappedTag<T, kDownwardSlack / 2 / sizeof(T)>;

  static void descend(DownwardBlocks& next, std::int64_t blocks, const void* from,
                      const void* initial) {
    const Short d;
    constexpr auto kShort = static_cast<std::int64_t>(hn::MaxLanes(Short()));
    const auto* structure = next.structure;
    const auto* values = static_cast<const T*>(next.values);
    auto* to = static_cast<T*>(next.to);
    const auto* const known = static_cast<const T*>(from);
    const auto* const begin = static_cast<const T*>(initial);
    for (; blocks > 0; --blocks) {
      const std::int64_t width = structure[0], columns = structure[1];
      const std::int32_t* const places = structure + 2;
      structure = places + (columns + kDownwardColumns - 1) / kDownwardColumns * kDownwardColumns;
      for (std::int64_t j = 0; j < width; j += kShort) {
        auto sums = begin == nullptr ? hn::Set(d, S::zero()) : hn::LoadU(d, begin + j);
        const T* column = values + j;
        for (const std::int32_t* k = places; k < structure; k += 2, column += 2 * width) {
          const auto a = of_two(d, hn::Set(d, known[k[0]]), hn::LoadU(d, column));
          const auto b = of_two(d, hn::Set(d, known[k[1]]), hn::LoadU(d, column + width));
          sums = R::plus(sums, R::plus(a, b));
        }
        hn::StoreU(sums, d, to + j);
      }
      to += width;
      values += width * columns;
    }
    next = {structure, values, to};
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
