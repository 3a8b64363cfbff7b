// C ← C ⊕ A ⊗ B. Included once per instruction set.

#if defined(APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#undef APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#else
#define APSP_KERNELS_CPU_MULTIPLY_ADD_INL_H_
#endif

#include "kernels/cpu/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {
template <class R>
class MultiplyAdd {
 public:
  using T = typename R::T;

  /// As Product::plain.
  static void run(View c, ConstView a, ConstView b) { Loops::plain(c, a, b, update_strip); }

  /// Both operands packed: left [c.rows, depth], right [depth, c.cols].
  static void run_packed(View c, const T* left, const T* right, std::int64_t depth) {
    Loops::packed(c, left, right, depth, update_strip);
  }

 private:
  using Loops = Product<R>;
  using Strip = typename Loops::Strip;
  using Registers = RegisterTile<R>;

  static void update_strip(const Strip& strip) {
    T* const data = static_cast<T*>(strip.c.data);
    Loops::for_each_tile(strip,
                         [&](std::int64_t row, std::int64_t rows, const T* left, const T* next) {
                           T* const corner = data + row * strip.c.stride;
                           if (rows == Registers::kRows && strip.c.cols == strip.width) {
                             relax(strip, left, corner, strip.c.stride, next);
                           } else {
                             relax_edge(strip, left, corner, rows, next);
                           }
                         });
  }

  static HWY_INLINE void relax(const Strip& strip, const T* left, T* c, std::int64_t stride,
                               const T* next) {
    Loops::with_vectors(strip.width / Registers::kLanes, [&]<std::int64_t vectors>() {
      Registers::template relax<vectors>(strip.depth, left, strip.right, c, stride, next,
                                         strip.c.stride);
    });
  }

  /// The same where only `rows` rows of the register tile, or not all columns, lie inside C.
  static void relax_edge(const Strip& strip, const T* left, T* c, std::int64_t rows,
                         const T* next) {
    HWY_ALIGN T whole[Registers::kRows * Registers::kStrip];
    std::fill(std::begin(whole), std::end(whole), R::S::zero());
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy_n(c + r * strip.c.stride, strip.c.cols, whole + r * strip.width);
    }
    relax(strip, left, whole, strip.width, next);
    for (std::int64_t r = 0; r < rows; ++r) {
      std::copy_n(whole + r * strip.width, strip.c.cols, c + r * strip.c.stride);
    }
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
