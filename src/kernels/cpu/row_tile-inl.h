// A register tile over operands that are not packed: rows of the right operand are named by a list,
// values of the left one are broadcast from where they lie. Included once per instruction set.

#if defined(APSP_KERNELS_CPU_ROW_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_ROW_TILE_INL_H_
#undef APSP_KERNELS_CPU_ROW_TILE_INL_H_
#else
#define APSP_KERNELS_CPU_ROW_TILE_INL_H_
#endif

#include <cstdint>

#include "kernels/cpu/register_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// The value of row r and step k is at data[r · row_step + k · depth_step].
template <class T>
struct LeftValues {
  const T* data;
  std::int64_t row_step;
  std::int64_t depth_step;
};

/// The row of step k is at data + rows[k] · stride.
template <class T>
struct ListedRows {
  const T* data;
  std::int64_t stride;
  const std::int32_t* rows;
};

template <class R>
struct RowTile {
  using T = typename R::T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr bool kManyRegisters = RegisterTile<R>::kManyRegisters;
  static constexpr std::int64_t kLanes = RegisterTile<R>::kLanes;

  /// Rows of the largest tile. Broadcasting a narrow value takes a vector port, so that few rows
  /// and many vectors are best; with few registers, wide strips are worth more than rows.
  static constexpr std::int64_t kRows = sizeof(T) < 4 || !kManyRegisters ? 2 : 4;

  /// Vectors of a tile of so many rows.
  static constexpr std::int64_t widest(std::int64_t rows) {
    if (rows == 1) return 8;
    return rows == 2 && kManyRegisters && !R::kGuarded ? 8 : 4;
  }

  /// c[r] [vectors · kLanes] ← c[r] ⊕ (a ⊗ b)(r) for r < rows, over `depth` steps. One flat loop
  /// between loads and stores of c: otherwise GCC spills accumulators.
  template <std::int64_t rows, std::int64_t vectors>
  static HWY_INLINE void relax(std::int64_t depth, LeftValues<T> a, ListedRows<T> b, T* const* c) {
    const D d;
    V sums[rows][vectors];
    APSP_UNROLL
    for (std::int64_t r = 0; r < rows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < vectors; ++v) sums[r][v] = hn::Load(d, c[r] + v * kLanes);
    }
    const T* left = a.data;
    for (std::int64_t k = 0; k < depth; ++k, left += a.depth_step) {
      relax_step<rows, vectors>(sums, left, a.row_step, b.data + b.rows[k] * b.stride);
    }
    APSP_UNROLL
    for (std::int64_t r = 0; r < rows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < vectors; ++v) hn::Store(sums[r][v], d, c[r] + v * kLanes);
    }
  }

  /// The same as a function of its own: inlined into loops, GCC keeps their terms in the step's
  /// registers.
  template <std::int64_t rows, std::int64_t vectors>
  HWY_NOINLINE static void relax_apart(std::int64_t depth, const LeftValues<T>& a,
                                       const ListedRows<T>& b, T* const* c) {
    relax<rows, vectors>(depth, a, b, c);
  }

 private:
  /// GCC would load a vector again for each of its uses.
  static HWY_INLINE void keep_in_register([[maybe_unused]] V& vector) {
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86_64 && HWY_TARGET != HWY_SCALAR && \
    HWY_TARGET != HWY_EMU128
    asm("" : "+v"(vector.raw));
#endif
  }

  template <std::int64_t rows, std::int64_t vectors>
  static HWY_INLINE void relax_step(V (&sums)[rows][vectors], const T* left, std::int64_t row_step,
                                    const T* right) {
    const D d;
    V of_rows[rows];
    V guards[rows];
    APSP_UNROLL
    for (std::int64_t r = 0; r < rows; ++r) {
      const T value = left[r * row_step];
      of_rows[r] = hn::Set(d, value);
      if constexpr (R::kGuarded) guards[r] = hn::Set(d, R::guard(value));
    }
    APSP_UNROLL
    for (std::int64_t v = 0; v < vectors; ++v) {
      V of_col = hn::Load(d, right + v * kLanes);
      if constexpr (rows > 1) keep_in_register(of_col);
      APSP_UNROLL
      for (std::int64_t r = 0; r < rows; ++r) {
        V product = R::times(of_rows[r], of_col);
        if constexpr (R::kGuarded) product = R::guarded(product, guards[r], R::guard_of(d, of_col));
        sums[r][v] = R::plus(sums[r][v], product);
      }
    }
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
