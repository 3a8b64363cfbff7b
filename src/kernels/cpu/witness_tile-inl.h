// The micro-kernel that remembers which pivot improved a value last. Included once per instruction
// set.
//
// Beside each accumulator of C stands a vector of lanes of the same size that holds the step k of
// the last strict improvement. A relaxation is then four instructions (⊗, ⊕, compare, blend) for
// two, and half as many accumulators of C fit the registers: 6 × 2 vectors of 32, 6 × 1 of 16. Both
// vector ports stay busy, so a product with witness costs twice one without. Operands are packed as
// for the plain kernel, whose wider strips are read a part at a time.

#if defined(APSP_KERNELS_CPU_WITNESS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_WITNESS_TILE_INL_H_
#undef APSP_KERNELS_CPU_WITNESS_TILE_INL_H_
#else
#define APSP_KERNELS_CPU_WITNESS_TILE_INL_H_
#endif

#include "kernels/cpu/packing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
struct WitnessTile {
  using T = typename R::T;
  using Plain = RegisterTile<R>;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  using DW = hn::RebindToUnsigned<D>;
  using Lane = hn::TFromD<DW>;
  static constexpr std::int64_t kLanes = Plain::kLanes;
  static constexpr std::int64_t kRows = Plain::kRows;
  static constexpr std::int64_t kVectors = Plain::kManyRegisters ? 2 : 1;
  static constexpr std::int64_t kWidth = kVectors * kLanes;
  static constexpr Lane kUnchanged = static_cast<Lane>(~Lane{0});

  /// c [kRows, vectors · kLanes] ← c ⊕ a ⊗ b over `depth` < kUnchanged steps. a: [depth, kGroup]
  /// packed; b: [depth, b_stride] packed. last [kRows, kWidth]: the step that improved a value of c
  /// last, or kUnchanged. Returns whether any value was improved.
  template <std::int64_t vectors>
  static bool relax(std::int64_t depth, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                    std::int64_t b_stride, T* HWY_RESTRICT c, std::int64_t stride,
                    Lane* HWY_RESTRICT last) {
    const D d;
    const DW dw;
    V tile[kRows][vectors];
    hn::Vec<DW> steps[kRows][vectors];
    APSP_UNROLL
    for (std::int64_t r = 0; r < kRows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < vectors; ++v) {
        tile[r][v] = hn::LoadU(d, c + r * stride + v * kLanes);
        steps[r][v] = hn::Set(dw, kUnchanged);
      }
    }
    auto step = hn::Zero(dw);
    const auto one = hn::Set(dw, Lane{1});
    for (std::int64_t k = 0; k < depth; ++k) {
      V strip[vectors];
      V guards[vectors];
      APSP_UNROLL
      for (std::int64_t v = 0; v < vectors; ++v) {
        strip[v] = hn::Load(d, b + v * kLanes);
        if constexpr (R::kGuarded) guards[v] = R::guard_of(d, strip[v]);
      }
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        const V left = Plain::broadcast(d, a, r);
        APSP_UNROLL
        for (std::int64_t v = 0; v < vectors; ++v) {
          V product = R::times(left, strip[v]);
          if constexpr (R::kGuarded) {
            product = R::guarded(product, hn::Set(d, a[kRows + r]), guards[v]);
          }
          const V best = R::plus(tile[r][v], product);
          const auto improved = hn::RebindMask(dw, hn::Ne(best, tile[r][v]));
          steps[r][v] = hn::IfThenElse(improved, step, steps[r][v]);
          tile[r][v] = best;
        }
      }
      step = hn::Add(step, one);
      a += Plain::kGroup;
      b += b_stride;
    }
    auto all = hn::Set(dw, kUnchanged);
    APSP_UNROLL
    for (std::int64_t r = 0; r < kRows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < vectors; ++v) {
        hn::StoreU(tile[r][v], d, c + r * stride + v * kLanes);
        hn::Store(steps[r][v], dw, last + r * kWidth + v * kLanes);
        all = hn::And(all, steps[r][v]);
      }
    }
    return !hn::AllTrue(dw, hn::Eq(all, hn::Set(dw, kUnchanged)));
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
