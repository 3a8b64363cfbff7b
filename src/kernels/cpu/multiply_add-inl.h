// C ← C ⊕ A ⊗ B by packed panels and a register tile, as in dense linear algebra (Goto, van de
// Geijn: "Anatomy of high-performance matrix multiplication", 2008). Included once per instruction
// set.

#if defined(APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#undef APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#else
#define APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#endif

#include "kernels/cpu/packing-inl.h"
#include "kernels/cpu/packing_buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class MultiplyAdd {
 public:
  using T = typename R::T;

  /// Any shapes. C may be A or B itself where the other one is closed: what is read from it was
  /// packed before its rows and columns are written.
  static void run(Tile c, ConstTile a, ConstTile b) {
    const std::int64_t depth = a.cols;
    for (std::int64_t k = 0; k < depth; k += kDepth) {
      const std::int64_t ks = std::min(kDepth, depth - k);
      for (std::int64_t i = 0; i < c.rows; i += kBlockRows) {
        const std::int64_t is = std::min(kBlockRows, c.rows - i);
        T* const left = packing_buffer<T>(0, Pack::left_values(is, ks));
        Pack::template left<false>(part(a, sizeof(T), i, k, is, ks), left);
        const ConstTile right = part(b, sizeof(T), k, 0, ks, c.cols);
        T* const strip = packing_buffer<T>(1, Pack::kStrip * ks);
        for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
          const std::int64_t width = Pack::strip_width(c.cols, j);
          Pack::template strip<false>(right, j, width, strip);
          update_strip(part(c, sizeof(T), i, 0, is, c.cols), j, width, left, strip, ks);
        }
      }
    }
  }

  /// Both operands packed: left [c.rows, depth], right [depth, c.cols].
  static void run_packed(Tile c, const T* left, const T* right, std::int64_t depth) {
    for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
      const std::int64_t width = Pack::strip_width(c.cols, j);
      update_strip(c, j, width, left, right, depth);
      right += width * depth;
    }
  }

 private:
  using Pack = Packing<R>;
  using Registers = RegisterTile<R>;
  // A strip of B and a sliver of A pass through the first-level cache once a register tile; the
  // packed block of A stays in the second level.
  static constexpr std::int64_t kDepth = 192;
  static constexpr std::int64_t kBlockRows = 192;

  /// Columns [j, j + width) of c, all its rows.
  static void update_strip(Tile c, std::int64_t j, std::int64_t width, const T* left,
                           const T* strip, std::int64_t depth) {
    T* const data = static_cast<T*>(c.data);
    const std::int64_t cols = std::min(width, c.cols - j);
    for (std::int64_t i = 0; i < c.rows; i += Registers::kRows) {
      const std::int64_t rows = std::min(Registers::kRows, c.rows - i);
      T* const corner = data + i * c.stride + j;
      if (i + 2 * Registers::kRows <= c.rows) {
        prefetch(corner + Registers::kRows * c.stride, cols, c.stride);
      } else if (j + width + cols <= c.cols) {
        prefetch(data + j + width, cols, c.stride);
      }
      if (rows == Registers::kRows && cols == width) {
        relax(width / Registers::kLanes, depth, left, strip, corner, c.stride);
      } else {
        relax_edge(width, depth, left, strip, corner, c.stride, rows, cols);
      }
      left += Registers::kGroup * depth;
    }
  }

  /// The next register tile of C comes from memory, row by row far apart, which no hardware
  /// prefetcher foresees; a whole product of the present one is time enough to fetch it.
  static void prefetch(const T* corner, std::int64_t cols, std::int64_t stride) {
    constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t r = 0; r < Registers::kRows; ++r) {
      for (std::int64_t v = 0; v < cols; v += kLine) __builtin_prefetch(corner + r * stride + v, 1);
    }
  }

  static void relax(std::int64_t vectors, std::int64_t depth, const T* left, const T* strip, T* c,
                    std::int64_t stride) {
    if constexpr (Registers::kVectors == 4) {
      if (vectors == 4) return Registers::template relax<4>(depth, left, strip, c, stride);
      if (vectors == 3) return Registers::template relax<3>(depth, left, strip, c, stride);
    }
    if (vectors == 2) return Registers::template relax<2>(depth, left, strip, c, stride);
    Registers::template relax<1>(depth, left, strip, c, stride);
  }

  /// The same where only [rows, cols] of the register tile lie inside C.
  static void relax_edge(std::int64_t width, std::int64_t depth, const T* left, const T* strip,
                         T* c, std::int64_t stride, std::int64_t rows, std::int64_t cols) {
    HWY_ALIGN T whole[Registers::kRows * Registers::kStrip];
    std::fill(whole, whole + Registers::kRows * width, R::S::zero());
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy(c + r * stride, c + r * stride + cols, whole + r * width);
    }
    relax(width / Registers::kLanes, depth, left, strip, whole, width);
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy(whole + r * width, whole + r * width + cols, c + r * stride);
    }
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
