// The loops of a product around a micro-kernel, as in dense linear algebra (Goto, van de Geijn:
// "Anatomy of high-performance matrix multiplication", 2008). Included once per instruction set.
//
// B is taken strip by strip, kDepth steps at a time; against each strip pass the slivers of A, and
// the two make one register tile of C after another.

#if defined(APSP_KERNELS_CPU_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_PRODUCT_INL_H_
#undef APSP_KERNELS_CPU_PRODUCT_INL_H_
#else
#define APSP_KERNELS_CPU_PRODUCT_INL_H_
#endif

#include "kernels/cpu/packing-inl.h"
#include "kernels/cpu/packing_buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
struct Product {
  using T = typename R::T;
  using Pack = Packing<R>;
  using Registers = RegisterTile<R>;

  /// Some columns of C and the operands of some steps.
  struct Strip {
    View c;                     // [rows, cols], cols ≤ width
    std::int64_t row, col;      // of its corner in the whole C
    const T* left;              // slivers of [packed_depth, kGroup]
    const T* right;             // [depth, width]
    std::int64_t width;         // whole vectors
    std::int64_t packed_depth;  // of a sliver
    std::int64_t depth;         // steps to take, at most kDepth
    std::int64_t first_step;    // in the whole product
  };

  /// update(strip) for all of C ← C ⊕ A ⊗ B, any shapes. C may be A or B itself where the other one
  /// is closed: what is read from it was packed before its rows and columns are written.
  template <class F>
  static void plain(View c, ConstView a, ConstView b, F&& update) {
    for (std::int64_t k = 0; k < a.cols; k += kDepth) {
      const std::int64_t ks = std::min(kDepth, a.cols - k);
      for (std::int64_t i = 0; i < c.rows; i += kBlockRows) {
        const std::int64_t is = std::min(kBlockRows, c.rows - i);
        T* const left = packing_buffer<T>(0, Pack::left_values(is, ks));
        Pack::template left<false>(part(a, sizeof(T), i, k, is, ks), left);
        const ConstView right = part(b, sizeof(T), k, 0, ks, c.cols);
        T* const strip = packing_buffer<T>(1, Pack::kStrip * ks);
        for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
          const std::int64_t width = Pack::strip_width(c.cols, j);
          Pack::template strip<false>(right, j, width, strip);
          update(Strip{columns(c, i, is, j, width), i, j, left, strip, width, ks, ks, k});
        }
      }
    }
  }

  /// The same with both operands packed: left [c.rows, depth], right [depth, c.cols].
  template <class F>
  static void packed(View c, const T* left, const T* right, std::int64_t depth, F&& update) {
    for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
      const std::int64_t width = Pack::strip_width(c.cols, j);
      for (std::int64_t k = 0; k < depth; k += kDepth) {
        update(Strip{columns(c, 0, c.rows, j, width), 0, j, left + k * Pack::kGroup,
                     right + k * width, width, depth, std::min(kDepth, depth - k), k});
      }
      right += width * depth;
    }
  }

  /// update(row, rows, left, next) for the strip's register tiles from top to bottom, of which
  /// `rows` rows exist. `next` will be wanted after it: the tile below, or the top of the strip to
  /// the right.
  template <class F>
  static HWY_INLINE void for_each_tile(const Strip& strip, F&& update) {
    const T* const top = static_cast<const T*>(strip.c.data);
    const T* left = strip.left;
    for (std::int64_t i = 0; i < strip.c.rows; i += Registers::kRows) {
      const bool below = i + 2 * Registers::kRows <= strip.c.rows;
      const T* const next =
          below ? top + (i + Registers::kRows) * strip.c.stride : top + strip.width;
      update(i, std::min(Registers::kRows, strip.c.rows - i), left, next);
      left += Registers::kGroup * strip.packed_depth;
    }
  }

  /// f<vectors>() for a strip of that many vectors.
  template <class F>
  static HWY_INLINE void with_vectors(std::int64_t vectors, F&& f) {
    if constexpr (Registers::kVectors == 4) {
      if (vectors == 4) return f.template operator()<4>();
      if (vectors == 3) return f.template operator()<3>();
    }
    vectors == 2 ? f.template operator()<2>() : f.template operator()<1>();
  }

 private:
  // A strip of B and a sliver of A pass through the first-level cache once a register tile; the
  // packed block of A stays in the second level.
  static constexpr std::int64_t kDepth = 192;
  static constexpr std::int64_t kBlockRows = 192;

  static View columns(View c, std::int64_t i, std::int64_t rows, std::int64_t j,
                      std::int64_t width) {
    return part(c, sizeof(T), i, j, rows, std::min(width, c.cols - j));
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
