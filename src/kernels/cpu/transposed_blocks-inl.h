// Transposition of small squares in registers. Included once per instruction set.

#if defined(APSP_KERNELS_CPU_TRANSPOSED_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_TRANSPOSED_BLOCKS_INL_H_
#undef APSP_KERNELS_CPU_TRANSPOSED_BLOCKS_INL_H_
#else
#define APSP_KERNELS_CPU_TRANSPOSED_BLOCKS_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/register_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// Values in 128 bits, or in a shorter vector.
template <class T>
constexpr std::int64_t kSquare = std::min<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()),
                                                        16 / sizeof(T));

/// Transposes the square in every 128 bits of kSquare rows, by log2(kSquare) shuffles per vector.
template <class T>
HWY_INLINE void transpose_squares([[maybe_unused]] hn::Vec<hn::ScalableTag<T>>* rows) {
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  APSP_UNROLL
  for (std::int64_t round = 1; round < kSquare<T>; round *= 2) {
    hn::Vec<hn::ScalableTag<T>> shuffled[kSquare<T>];
    APSP_UNROLL
    for (std::int64_t i = 0; i < kSquare<T> / 2; ++i) {
      shuffled[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kSquare<T> / 2]);
      shuffled[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kSquare<T> / 2]);
    }
    APSP_UNROLL
    for (std::int64_t i = 0; i < kSquare<T>; ++i) rows[i] = shuffled[i];
  }
#endif
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
