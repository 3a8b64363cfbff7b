// The micro-kernel: keeps a tile of C in registers while packed slivers of A and strips of B pass.
//
// Each step k loads `vectors` vectors of B, broadcasts kRows values of A, and performs kRows ×
// vectors vector relaxations. 6 × 4 vectors use 24 accumulators, 4 of B and a broadcast: with 32
// registers both vector ports are busy every cycle (57 of 57 G/s, f32, AVX-512 at 3.6 GHz; 8 × 3
// and 12 × 2 are as fast, but 6 rows and 4 vectors divide the tile sides). 16 registers: 6 × 2.

#if defined(APSP_KERNELS_CPU_REGISTER_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_REGISTER_TILE_INL_H_
#undef APSP_KERNELS_CPU_REGISTER_TILE_INL_H_
#else
#define APSP_KERNELS_CPU_REGISTER_TILE_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/cpu/inner_loops.hpp"
#include "kernels/cpu/relaxation-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <std::size_t size, bool guarded>
struct TileSides {
  static constexpr bool kGuarded = guarded;
  static constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM;
  static constexpr std::int64_t kLanes =
      static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<hwy::UnsignedFromSize<size>>()));
  /// Scalar code, for processors without SSE4, is small to compile quickly.
  static constexpr bool kScalars = HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128;
  static constexpr std::int64_t kRows = kScalars ? 3 : 6;
  static constexpr std::int64_t kVectors = kScalars ? 1 : kManyRegisters && !guarded ? 4 : 2;
  static constexpr std::int64_t kStrip = kVectors * kLanes;
  /// Narrow values of A are packed as 32-bit words of copies: broadcasting a word is a load, while
  /// broadcasting two bytes also takes a vector port (bench/attempts.md).
  static constexpr std::int64_t kCopies = size < 4 ? 4 / size : 1;
  /// Values of A per step: kRows values in copies, then their guards.
  static constexpr std::int64_t kGroup = kRows * kCopies * (guarded ? 2 : 1);
  static_assert(!guarded || kCopies == 1);
};

template <class R>
struct RegisterTile {
  using T = typename R::T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  using Sides = TileSides<sizeof(T), R::kGuarded>;
  static constexpr bool kManyRegisters = Sides::kManyRegisters;
  static constexpr std::int64_t kLanes = Sides::kLanes;
  static constexpr std::int64_t kRows = Sides::kRows;
  static constexpr std::int64_t kVectors = Sides::kVectors;
  static constexpr std::int64_t kStrip = Sides::kStrip;
  static constexpr std::int64_t kCopies = Sides::kCopies;
  static constexpr std::int64_t kGroup = Sides::kGroup;

  static HWY_INLINE V broadcast(D d, const T* step, std::int64_t r) {
    if constexpr (kCopies == 1) {
      return hn::Set(d, step[r]);
    } else {
      std::uint32_t word = 0;
      std::memcpy(&word, step + r * kCopies, sizeof(word));
      return hn::BitCast(d, hn::Set(hn::ScalableTag<std::uint32_t>(), word));
    }
  }

  /// A register tile of C. Everything is inlined and unrolled, so that values stay in registers.
  template <std::int64_t vectors>
  struct Accumulators {
    static constexpr std::int64_t kVectors = vectors;
    V values[kRows][vectors];

    /// GCC gives implicit constructors no instruction set, and cannot inline V's into them.
    HWY_INLINE Accumulators() {}

    HWY_INLINE void load(const T* c, std::int64_t stride) {
      const D d;
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        APSP_UNROLL
        for (std::int64_t v = 0; v < vectors; ++v) {
          values[r][v] = hn::LoadU(d, c + r * stride + v * kLanes);
        }
      }
    }

    HWY_INLINE void store(T* c, std::int64_t stride) const {
      const D d;
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        APSP_UNROLL
        for (std::int64_t v = 0; v < vectors; ++v) {
          hn::StoreU(values[r][v], d, c + r * stride + v * kLanes);
        }
      }
    }

    /// values ← values ⊕ a ⊗ b, one step: a [kGroup], b [vectors · kLanes], packed.
    HWY_INLINE void relax(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b) {
      const D d;
      V strip[vectors];
      V guards[vectors];
      APSP_UNROLL
      for (std::int64_t v = 0; v < vectors; ++v) {
        strip[v] = hn::Load(d, b + v * kLanes);
        if constexpr (R::kGuarded) guards[v] = R::guard_of(d, strip[v]);
      }
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        const V left = broadcast(d, a, r);
        APSP_UNROLL
        for (std::int64_t v = 0; v < vectors; ++v) {
          V product = R::times(left, strip[v]);
          if constexpr (R::kGuarded) {
            product = R::guarded(product, hn::Set(d, a[kRows + r]), guards[v]);
          }
          values[r][v] = R::plus(values[r][v], product);
        }
      }
    }
  };

  template <std::int64_t vectors>
  static HWY_INLINE void fetch_row(const T* row) {
    APSP_UNROLL
    for (std::int64_t v = 0; v < vectors; ++v) __builtin_prefetch(row + v * kLanes, 1);
    __builtin_prefetch(row + vectors * kLanes - 1, 1);
  }

  /// c [kRows, vectors · kLanes] ← c ⊕ a ⊗ b over `depth` steps. a: [depth, kGroup] packed; b:
  /// [depth, vectors · kLanes] packed.
  ///
  /// Also prefetches the register tile at `next`, because hardware prefetchers do not foresee rows
  /// of C, which are far apart. All lines at once delay the operands in the queue to the
  /// second-level cache; a line every few steps takes ports from the vectors; kFetches times some
  /// rows does neither (bench/attempts.md).
  template <std::int64_t vectors>
  HWY_NOINLINE static void relax(std::int64_t depth, const T* HWY_RESTRICT a,
                                 const T* HWY_RESTRICT b, T* HWY_RESTRICT c, std::int64_t stride,
                                 const T* next, std::int64_t next_stride) {
    constexpr std::int64_t kFetches = 3;
    Accumulators<vectors> tile;
    tile.load(c, stride);
    const std::int64_t steps = (depth + kFetches - 1) / kFetches;
    for (std::int64_t k = 0; k < depth;) {
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows / kFetches; ++r, next += next_stride) {
        fetch_row<vectors>(next);
      }
      for (const std::int64_t end = std::min(depth, k + steps); k < end; ++k) {
        tile.relax(a, b);
        a += kGroup;
        b += vectors * kLanes;
      }
    }
    tile.store(c, stride);
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
