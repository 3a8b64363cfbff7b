// C ← C ⊕ A ⊗ B and, where a value improves, via ← its pivot. Included once per instruction set.
//
// The loops of multiply_add-inl.h around the micro-kernel with witness. A step is counted from the
// first of its block of depth, so that it fits a lane of any value type (bytes: 192 < 255); what
// changed is translated to the pivot's number when the block is done.

#if defined(APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_
#undef APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_
#else
#define APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_
#endif

#include "kernels/cpu/packing_buffer.hpp"
#include "kernels/cpu/witness_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class WitnessMultiply {
 public:
  using T = typename R::T;

  /// Any shapes. C may be A or B itself where the other one is closed: what is read from it was
  /// packed before its rows and columns are written.
  static void run(Tile c, Tile via, ConstTile a, ConstTile b, std::int64_t first_pivot) {
    for (std::int64_t k = 0; k < a.cols; k += kDepth) {
      const std::int64_t ks = std::min(kDepth, a.cols - k);
      for (std::int64_t i = 0; i < c.rows; i += kBlockRows) {
        const std::int64_t is = std::min(kBlockRows, c.rows - i);
        T* const left = packing_buffer<T>(0, Pack::left_values(is, ks));
        Pack::template left<false>(part(a, sizeof(T), i, k, is, ks), left);
        const ConstTile right = part(b, sizeof(T), k, 0, ks, c.cols);
        T* const strip = packing_buffer<T>(1, Pack::kStrip * ks);
        const Tile rows = part(c, sizeof(T), i, 0, is, c.cols);
        const Tile via_rows = part(via, sizeof(std::int32_t), i, 0, is, c.cols);
        for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
          const std::int64_t width = Pack::strip_width(c.cols, j);
          Pack::template strip<false>(right, j, width, strip);
          update_strip(rows, via_rows, j, {left, strip, width, ks, ks, first_pivot + k});
        }
      }
    }
  }

  /// Both operands packed: left [c.rows, depth], right [depth, c.cols].
  static void run_packed(Tile c, Tile via, const T* left, const T* right, std::int64_t depth,
                         std::int64_t first_pivot) {
    for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
      const std::int64_t width = Pack::strip_width(c.cols, j);
      for (std::int64_t k = 0; k < depth; k += kDepth) {
        update_strip(c, via, j,
                     {left + k * Pack::kGroup, right + k * width, width, depth,
                      std::min(kDepth, depth - k), first_pivot + k});
      }
      right += width * depth;
    }
  }

 private:
  using Pack = Packing<R>;
  using Registers = WitnessTile<R>;
  using Lane = typename Registers::Lane;
  static constexpr std::int64_t kDepth = 192;  // as in multiply_add-inl.h, and a byte holds it
  static constexpr std::int64_t kBlockRows = 192;
  static constexpr std::int64_t kRows = Registers::kRows;
  static constexpr std::int64_t kWidth = Registers::kWidth;

  /// A strip of B and the slivers of A that meet it.
  struct Operands {
    const T* left;              // slivers of [packed_depth, kGroup]
    const T* strip;             // [depth, width]
    std::int64_t width;         // of the strip, values
    std::int64_t packed_depth;  // of a sliver
    std::int64_t depth;         // steps to take
    std::int64_t first_pivot;   // number of the first step's pivot
  };

  /// Columns [j, j + width) of c, all its rows.
  static void update_strip(Tile c, Tile via, std::int64_t j, const Operands& operands) {
    for (std::int64_t v = 0; v < operands.width; v += kWidth) {
      const std::int64_t cols = std::min(kWidth, c.cols - j - v);
      const T* left = operands.left;
      for (std::int64_t i = 0; i < c.rows; i += kRows) {
        const std::int64_t rows = std::min(kRows, c.rows - i);
        update_tile(part(c, sizeof(T), i, j + v, rows, cols),
                    part(via, sizeof(std::int32_t), i, j + v, rows, cols), left, v, operands);
        left += Pack::kGroup * operands.packed_depth;
      }
    }
  }

  /// One register tile, of which [c.rows, c.cols] lie inside C; column v of the strip is its first.
  static void update_tile(Tile c, Tile via, const T* left, std::int64_t v,
                          const Operands& operands) {
    HWY_ALIGN Lane last[kRows * kWidth];
    T* const data = static_cast<T*>(c.data);
    const std::int64_t vectors = std::min(kWidth, operands.width - v) / Registers::kLanes;
    bool improved;
    if (c.rows == kRows && c.cols == vectors * Registers::kLanes) {
      improved = relax(vectors, left, v, operands, data, c.stride, last);
    } else {
      HWY_ALIGN T whole[kRows * kWidth];
      std::fill(whole, whole + kRows * kWidth, R::S::zero());
      for (std::int64_t r = 0; r < c.rows; ++r) {
        std::copy(data + r * c.stride, data + r * c.stride + c.cols, whole + r * kWidth);
      }
      improved = relax(vectors, left, v, operands, whole, kWidth, last);
      for (std::int64_t r = 0; r < c.rows; ++r) {
        std::copy(whole + r * kWidth, whole + r * kWidth + c.cols, data + r * c.stride);
      }
    }
    if (improved) note(last, via, operands.first_pivot);
  }

  static bool relax(std::int64_t vectors, const T* left, std::int64_t v, const Operands& operands,
                    T* c, std::int64_t stride, Lane* last) {
    const T* const b = operands.strip + v;
    if constexpr (Registers::kVectors == 2) {
      if (vectors == 2) {
        return Registers::template relax<2>(operands.depth, left, b, operands.width, c, stride,
                                            last);
      }
    }
    return Registers::template relax<1>(operands.depth, left, b, operands.width, c, stride, last);
  }

  /// via ← first_pivot + last, where a value was improved.
  static void note(const Lane* HWY_RESTRICT last, Tile via, std::int64_t first_pivot) {
    const auto first = static_cast<std::int32_t>(first_pivot);
    for (std::int64_t r = 0; r < via.rows; ++r) {
      std::int32_t* HWY_RESTRICT const row = static_cast<std::int32_t*>(via.data) + r * via.stride;
      for (std::int64_t j = 0; j < via.cols; ++j) {
        const Lane step = last[r * kWidth + j];
        row[j] = step == Registers::kUnchanged ? row[j] : first + static_cast<std::int32_t>(step);
      }
    }
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
