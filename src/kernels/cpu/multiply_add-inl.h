// C ← C ⊕ A ⊗ B: packed panels and a register tile, as in dense linear algebra (Goto, van de Geijn:
// "Anatomy of high-performance matrix multiplication", 2008). Included once per instruction set.
//
// B is cut into strips of kStrip columns and A into slivers of kRows rows, both packed so that the
// micro-kernel reads them in order; edges are padded with "no path", so it never sees a ragged
// shape. Per step k it loads kVectors vectors of B, broadcasts kRows values of A, and performs
// kRows × kVectors vector relaxations on a tile of C that stays in registers.

#if defined(APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#undef APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#else
#define APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#endif

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/cpu/packing_buffer.hpp"
#include "kernels/cpu/relaxation-inl.h"

#ifdef __clang__
#define APSP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define APSP_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class MultiplyAdd {
 public:
  using T = typename R::T;

  static void run(Tile c, ConstTile a, ConstTile b) {
    const std::int64_t depth = a.cols;
    if (c.rows == 0 || c.cols == 0) return;
    for (std::int64_t k = 0; k < depth; k += kDepth) {
      const std::int64_t ks = std::min(kDepth, depth - k);
      for (std::int64_t i = 0; i < c.rows; i += kBlockRows) {
        const std::int64_t is = std::min(kBlockRows, c.rows - i);
        update_block(part(c, sizeof(T), i, 0, is, c.cols), part(a, sizeof(T), i, k, is, ks),
                     part(b, sizeof(T), k, 0, ks, c.cols));
      }
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  // 32 registers with AVX-512, NEON; 16 below: accumulators, one strip of B, a broadcast or two.
  static constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM;
  static constexpr std::int64_t kRows = kManyRegisters ? 8 : 4;
  static constexpr std::int64_t kVectors = R::kGuarded ? 2 : kManyRegisters ? 3 : 2;
  static constexpr std::int64_t kStrip = kVectors * kLanes;
  // A strip of B, kDepth × kStrip values, stays in the first-level cache (24 KiB with AVX-512).
  static constexpr std::int64_t kDepth = 128;
  // The packed block of A, kBlockRows × kDepth values, stays in the second level.
  static constexpr std::int64_t kBlockRows = 256;

  /// c [m, n], a [m, ks], b [ks, n] with m ≤ kBlockRows, ks ≤ kDepth.
  static void update_block(Tile c, ConstTile a, ConstTile b) {
    constexpr std::int64_t kGuards = R::kGuarded ? 2 : 1;
    const std::int64_t slivers = (c.rows + kRows - 1) / kRows;
    T* packed_a = packing_buffer<T>(0, slivers * kRows * kDepth * kGuards);
    T* packed_b = packing_buffer<T>(1, kDepth * kStrip);
    const std::int64_t sliver_size = a.cols * kRows * kGuards;
    for (std::int64_t s = 0; s < slivers; ++s) pack_sliver(a, s * kRows, packed_a + s * sliver_size);

    T* const c_data = static_cast<T*>(c.data);
    for (std::int64_t j = 0; j < c.cols; j += kStrip) {
      pack_strip(b, j, packed_b);
      const std::int64_t cols = std::min(kStrip, c.cols - j);
      for (std::int64_t s = 0; s < slivers; ++s) {
        const std::int64_t rows = std::min(kRows, c.rows - s * kRows);
        T* corner = c_data + s * kRows * c.stride + j;
        if (rows == kRows && cols == kStrip) {
          relax(a.cols, packed_a + s * sliver_size, packed_b, corner, c.stride);
        } else {
          relax_edge(a.cols, packed_a + s * sliver_size, packed_b, corner, c.stride, rows, cols);
        }
      }
    }
  }

  /// Rows [row, row + kRows) of a as [ks, kRows], each group followed by its guards if any.
  static void pack_sliver(ConstTile a, std::int64_t row, T* out) {
    constexpr std::int64_t kGroup = kRows * (R::kGuarded ? 2 : 1);
    for (std::int64_t r = 0; r < kRows; ++r) {
      const bool inside = row + r < a.rows;
      const T* from = static_cast<const T*>(a.data) + (row + r) * a.stride;
      for (std::int64_t k = 0; k < a.cols; ++k) {
        const T value = inside ? from[k] : R::S::zero();
        out[k * kGroup + r] = value;
        if constexpr (R::kGuarded) out[k * kGroup + kRows + r] = R::guard(value);
      }
    }
  }

  /// Columns [col, col + kStrip) of b as [ks, kStrip].
  static void pack_strip(ConstTile b, std::int64_t col, T* out) {
    const std::int64_t cols = std::min(kStrip, b.cols - col);
    for (std::int64_t k = 0; k < b.rows; ++k) {
      const T* from = static_cast<const T*>(b.data) + k * b.stride + col;
      std::copy(from, from + cols, out + k * kStrip);
      std::fill(out + k * kStrip + cols, out + (k + 1) * kStrip, R::S::zero());
    }
  }

  /// A register tile: c [kRows, kStrip] ← c ⊕ a ⊗ b over `depth` steps.
  static void relax(std::int64_t depth, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                    T* HWY_RESTRICT c, std::int64_t stride) {
    const D d;
    V tile[kRows][kVectors];
    APSP_UNROLL
    for (std::int64_t r = 0; r < kRows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < kVectors; ++v) {
        tile[r][v] = hn::LoadU(d, c + r * stride + v * kLanes);
      }
    }
    for (std::int64_t k = 0; k < depth; ++k) {
      V strip[kVectors];
      V guards[kVectors];
      APSP_UNROLL
      for (std::int64_t v = 0; v < kVectors; ++v) {
        strip[v] = hn::Load(d, b + v * kLanes);
        if constexpr (R::kGuarded) guards[v] = R::guard_of(d, strip[v]);
      }
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        const V left = hn::Set(d, a[r]);
        APSP_UNROLL
        for (std::int64_t v = 0; v < kVectors; ++v) {
          V product = R::times(left, strip[v]);
          if constexpr (R::kGuarded) {
            product = R::guarded(product, hn::Set(d, a[kRows + r]), guards[v]);
          }
          tile[r][v] = R::plus(tile[r][v], product);
        }
      }
      a += kRows * (R::kGuarded ? 2 : 1);
      b += kStrip;
    }
    APSP_UNROLL
    for (std::int64_t r = 0; r < kRows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < kVectors; ++v) {
        hn::StoreU(tile[r][v], d, c + r * stride + v * kLanes);
      }
    }
  }

  /// The same where only [rows, cols] of the register tile lie inside C.
  static void relax_edge(std::int64_t depth, const T* a, const T* b, T* c, std::int64_t stride,
                         std::int64_t rows, std::int64_t cols) {
    HWY_ALIGN T whole[kRows * kStrip];
    std::fill(whole, whole + kRows * kStrip, R::S::zero());
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy(c + r * stride, c + r * stride + cols, whole + r * kStrip);
    }
    relax(depth, a, b, whole, kStrip);
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy(whole + r * kStrip, whole + r * kStrip + cols, c + r * stride);
    }
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
