// C ← C ⊕ A ⊗ B and, where a value improves, via ← its pivot. Included once per instruction set.

#if defined(APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_
#undef APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_
#else
#define APSP_KERNELS_CPU_WITNESS_MULTIPLY_INL_H_
#endif

#include <bit>

#include "kernels/cpu/product-inl.h"
#include "kernels/cpu/witness_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class WitnessMultiply {
 public:
  using T = typename R::T;

  /// As Product::plain.
  static void run(View c, View via, ConstView a, ConstView b, std::int64_t first_pivot) {
    Loops::plain(c, a, b, [=](const Strip& strip) { update_strip(strip, via, first_pivot); });
  }

  /// Both operands packed: left [c.rows, depth], right [depth, c.cols].
  static void run_packed(View c, View via, const T* left, const T* right, std::int64_t depth,
                         std::int64_t first_pivot) {
    Loops::packed(c, left, right, depth,
                  [=](const Strip& strip) { update_strip(strip, via, first_pivot); });
  }

 private:
  using Loops = Product<R>;
  using Strip = typename Loops::Strip;
  using Registers = RegisterTile<R>;
  using Watched = WitnessTile<R>;
  using Transposed = TransposedStrip<R>;

  static void update_strip(const Strip& strip, View via, std::int64_t first_pivot) {
    T* const data = static_cast<T*>(strip.c.data);
    Watched tile;
    const T* transposed = nullptr;  // made when a value improves
    Loops::for_each_tile(strip, [&](std::int64_t row, std::int64_t rows, const T* left,
                                    const T* next) {
      T* const corner = data + row * strip.c.stride;
      for (std::int64_t r = 0; r < rows; ++r) {
        std::copy_n(corner + r * strip.c.stride, strip.c.cols, tile.row(r, strip.width));
      }
      Loops::with_vectors(strip.width / Registers::kLanes, [&]<std::int64_t vectors>() {
        tile.template relax<vectors>(strip.depth, left, strip.right, next, strip.c.stride);
      });
      for (std::int64_t r = 0; r < rows; ++r) {
        std::copy_n(tile.row(r, strip.width), strip.c.cols, corner + r * strip.c.stride);
      }
      const View via_rows =
          part(via, sizeof(std::int32_t), strip.row + row, strip.col, rows, strip.c.cols);
      transposed = note(tile, via_rows, strip, left, transposed, first_pivot + strip.first_step);
    });
  }

  /// via ← first_pivot + the step that set the value, where it improved. Returns `transposed`.
  static const T* note(const Watched& tile, View via, const Strip& strip, const T* left,
                       const T* transposed, std::int64_t first_pivot) {
    for (std::int64_t r = 0; r < via.rows; ++r) {
      std::int32_t* const row = static_cast<std::int32_t*>(via.data) + r * via.stride;
      for (std::int64_t j = 0; j < via.cols; j += Watched::kWord) {
        std::uint64_t improved = tile.improved(r, j, strip.width);
        if (via.cols - j < 64) improved &= (std::uint64_t{1} << (via.cols - j)) - 1;
        if (improved != 0 && transposed == nullptr) transposed = transpose(strip);
        for (; improved != 0; improved &= improved - 1) {
          const std::int64_t column = j + std::countr_zero(improved);
          row[column] = static_cast<std::int32_t>(
              first_pivot + tile.step_of(r, column, strip.width, strip.depth, left, transposed));
        }
      }
    }
    return transposed;
  }

  static const T* transpose(const Strip& strip) {
    T* const transposed = packing_buffer<T>(2, Transposed::values(strip.depth, strip.width));
    Transposed::transpose(strip.right, strip.depth, strip.width, transposed);
    return transposed;
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
