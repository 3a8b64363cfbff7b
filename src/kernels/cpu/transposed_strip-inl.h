// A strip of B transposed, so that some steps of one column lie side by side. Included once per
// instruction set.
//
// Steps are cut into pieces of kSteps, as many as lie in 128 bits. In every 128 bits of kSteps
// vectors of B stands a square that is transposed in registers, log2(kSteps) shuffles a vector: one
// percent of the strip's product.

#if defined(APSP_KERNELS_CPU_TURNED_STRIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_TURNED_STRIP_INL_H_
#undef APSP_KERNELS_CPU_TURNED_STRIP_INL_H_
#else
#define APSP_KERNELS_CPU_TURNED_STRIP_INL_H_
#endif

#include "base/rounded_up.hpp"
#include "kernels/cpu/packing-inl.h"
#include "kernels/cpu/transposed_blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class TransposedStrip {
 public:
  using T = typename R::T;
  using Registers = RegisterTile<R>;
  static constexpr std::int64_t kLanes = Registers::kLanes;
  static constexpr std::int64_t kSteps = kSquare<T>;

  static std::int64_t values(std::int64_t depth, std::int64_t width) {
    return base::rounded_up(depth, kSteps) * width;
  }

  /// strip: [depth, width] packed; out: [values], 64-byte aligned. Steps beyond depth: no path.
  static void transpose(const T* HWY_RESTRICT strip, std::int64_t depth, std::int64_t width,
                        T* HWY_RESTRICT out) {
    const D d;
    for (std::int64_t k = 0; k < depth; k += kSteps) {
      for (std::int64_t v = 0; v < width; v += kLanes) {
        hn::Vec<D> rows[kSteps];
        APSP_UNROLL
        for (std::int64_t i = 0; i < kSteps; ++i) {
          rows[i] = hn::Set(d, R::S::zero());
          if (k + i < depth) rows[i] = hn::Load(d, strip + (k + i) * width + v);
        }
        turn_squares<T>(rows);
        APSP_UNROLL
        for (std::int64_t i = 0; i < kSteps; ++i, out += kLanes) hn::Store(rows[i], d, out);
      }
    }
  }

  /// The kSteps steps of a column from `step`, a multiple of kSteps.
  static HWY_INLINE const T* piece(const T* transposed, std::int64_t width, std::int64_t step,
                                   std::int64_t column) {
    // A vector of columns became kSteps vectors; column kSteps · b + i of it is in the i-th of them
    // the b-th piece.
    const auto lane = static_cast<std::uint64_t>(column) % kLanes;
    const std::uint64_t place = lane % kSteps * kLanes + lane / kSteps * kSteps;
    return transposed + step * width + (static_cast<std::uint64_t>(column) - lane) * kSteps + place;
  }

 private:
  using D = typename Registers::D;
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
