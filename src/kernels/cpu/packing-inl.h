// Packed panels: the layouts that the micro-kernel reads in order. Included once per instruction
// set.
//
// Left operand A [m, depth]: slivers of kRows rows, each [depth, kGroup]; rows beyond m are "no
// path". Right operand B [depth, n]: strips of kStrip columns, each [depth, kStrip]; the last one
// is only as wide as its columns need, in whole vectors, and columns beyond n are "no path". The
// transposed forms pack Aᵗ and Bᵗ: a symmetric matrix is stored as one triangle.

#if defined(APSP_KERNELS_CPU_PACKING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_PACKING_INL_H_
#undef APSP_KERNELS_CPU_PACKING_INL_H_
#else
#define APSP_KERNELS_CPU_PACKING_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "base/rounded_up.hpp"
#include "kernels/contract.hpp"
#include "kernels/cpu/register_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
struct Packing {
  using T = typename R::T;
  using Registers = RegisterTile<R>;
  static constexpr std::int64_t kRows = Registers::kRows;
  static constexpr std::int64_t kGroup = Registers::kGroup;
  static constexpr std::int64_t kLanes = Registers::kLanes;
  static constexpr std::int64_t kStrip = Registers::kStrip;

  static std::int64_t slivers(std::int64_t rows) { return (rows + kRows - 1) / kRows; }
  /// The width of the strip that begins at `col` of n columns: whole vectors, at most kStrip.
  static std::int64_t strip_width(std::int64_t n, std::int64_t col) {
    return std::min(kStrip, base::rounded_up(n - col, kLanes));
  }

  static std::int64_t left_values(std::int64_t rows, std::int64_t depth) {
    return slivers(rows) * kGroup * depth;
  }
  static std::int64_t right_values(std::int64_t cols, std::int64_t depth) {
    return base::rounded_up(cols, kLanes) * depth;
  }

  /// a [m, depth], or with `transposed` a [depth, m].
  template <bool transposed>
  static void left(ConstView a, T* out) {
    const std::int64_t m = transposed ? a.cols : a.rows;
    const std::int64_t depth = transposed ? a.rows : a.cols;
    const T* const from = static_cast<const T*>(a.data);
    for (std::int64_t row = 0; row < m; row += kRows, out += kGroup * depth) {
      const std::int64_t rows = std::min(kRows, m - row);
      if (rows == kRows) {
        sliver<transposed>(from + row * (transposed ? 1 : a.stride), a.stride, kRows, depth, out);
      } else {
        sliver<transposed>(from + row * (transposed ? 1 : a.stride), a.stride, rows, depth, out);
      }
    }
  }

  /// One sliver, of which `rows` rows exist. Inlined twice: with all of them there is no branch.
  template <bool transposed>
  static HWY_INLINE void sliver(const T* HWY_RESTRICT from, std::int64_t stride, std::int64_t rows,
                                std::int64_t depth, T* HWY_RESTRICT out) {
    for (std::int64_t k = 0; k < depth; ++k, out += kGroup) {
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        T value = R::S::zero();
        if (r < rows) value = transposed ? from[k * stride + r] : from[r * stride + k];
        APSP_UNROLL
        for (std::int64_t copy = 0; copy < Registers::kCopies; ++copy) {
          out[r * Registers::kCopies + copy] = value;
        }
        if constexpr (R::kGuarded) out[kRows + r] = R::guard(value);
      }
    }
  }

  /// b [depth, n], or with `transposed` b [n, depth].
  template <bool transposed>
  static void right(ConstView b, T* out) {
    const std::int64_t n = transposed ? b.rows : b.cols;
    for (std::int64_t col = 0; col < n; col += kStrip) {
      const std::int64_t width = strip_width(n, col);
      strip<transposed>(b, col, width, out);
      out += width * (transposed ? b.cols : b.rows);
    }
  }

  /// Columns [col, col + width) of B as [depth, width].
  template <bool transposed>
  static void strip(ConstView b, std::int64_t col, std::int64_t width, T* out) {
    const T* const from = static_cast<const T*>(b.data);
    const std::int64_t depth = transposed ? b.cols : b.rows;
    const std::int64_t cols = std::min(width, (transposed ? b.rows : b.cols) - col);
    if constexpr (transposed) {
      for (std::int64_t j = 0; j < cols; ++j) {
        for (std::int64_t k = 0; k < depth; ++k)
          out[k * width + j] = from[(col + j) * b.stride + k];
      }
    }
    for (std::int64_t k = 0; k < depth; ++k) {
      T* const row = out + k * width;
      if constexpr (!transposed) {
        std::copy(from + k * b.stride + col, from + k * b.stride + col + cols, row);
      }
      std::fill(row + cols, row + width, R::S::zero());
    }
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
