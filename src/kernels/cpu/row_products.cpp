// Products of gathered rows for every semiring and value type, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_products.cpp"
#include "base/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/register_tile-inl.h"
#include "kernels/cpu/relaxation-inl.h"
#include "kernels/cpu/row_products.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// The value of row r and step k is data[r · row_step + k · depth_step].
template <class T>
struct LeftValues {
  const T* data;
  std::int64_t row_step;
  std::int64_t depth_step;
};

/// The row of step k begins at data + rows[k] · stride.
template <class T>
struct ListedRows {
  const T* data;
  std::int64_t stride;
  const std::int32_t* rows;
};

/// A register tile over unpacked operands: rows of the right operand are named by a list, values of
/// the left one are broadcast from memory.
template <class R>
struct RowTile {
  using T = typename R::T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr bool kManyRegisters = RegisterTile<R>::kManyRegisters;
  static constexpr std::int64_t kLanes = RegisterTile<R>::kLanes;

  /// Rows of the largest tile. Broadcasting a narrow value takes a vector port, so few rows and
  /// many vectors are best; with few registers, wide strips are worth more than rows.
  static constexpr std::int64_t kRows = sizeof(T) < 4 || !kManyRegisters ? 2 : 4;

  static constexpr std::int64_t widest(std::int64_t rows) {
    if (rows == 1) return 8;
    return rows == 2 && kManyRegisters && !R::kGuarded ? 8 : 4;
  }

  /// c[r] [vectors · kLanes] ← c[r] ⊕ (a ⊗ b)(r) for r < rows, over `depth` steps. A single flat
  /// loop between loads and stores of c keeps GCC from spilling accumulators.
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

  /// Not inlined, because GCC would then spill the registers of the steps.
  template <std::int64_t rows, std::int64_t vectors>
  HWY_NOINLINE static void relax_apart(std::int64_t depth, const LeftValues<T>& a,
                                       const ListedRows<T>& b, T* const* c) {
    relax<rows, vectors>(depth, a, b, c);
  }

 private:
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

template <class R>
class RowProducts {
 public:
  static RowOperations operations() {
    return {static_cast<int>(kLineBytes / sizeof(T)), &gathered, &scattered};
  }

 private:
  using T = typename R::T;
  using Tile = RowTile<R>;
  static constexpr std::size_t kLineBytes = 64;
  static constexpr std::int64_t kLine = kLineBytes / sizeof(T);
  /// Steps between loads and stores of C: rows of a strip of X that stay in the first-level cache
  /// while the rows of C pass, unless their stride is a large power of two.
  static constexpr std::int64_t kDepth = Tile::kRows == 2 ? 64 : 128;
  /// Least number of steps that is worth a prefetch of the next group.
  static constexpr std::int64_t kLong = 32;
  static constexpr std::array<std::int32_t, kDepth> kInOrder = [] {
    std::array<std::int32_t, kDepth> rows{};
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::int32_t>(k);
    return rows;
  }();

  /// Some steps of a product. Row i of C begins at c + row · stride, row = c_rows[i], or i if null.
  struct Steps {
    T* c;
    std::int64_t c_stride;
    const std::int32_t* c_rows;
    std::int64_t m, cols, depth;
    LeftValues<T> a;
    ListedRows<T> b;
  };

  static void gathered(View c, ConstView a, ConstView x, const std::int32_t* rows) {
    if (c.rows != 1) return gather_rows(c, a, x, rows);
    one_row(static_cast<T*>(c.data), c.cols, a.cols, {static_cast<const T*>(a.data), a.stride, 1},
            {static_cast<const T*>(x.data), x.stride, rows});
  }

  HWY_NOINLINE static void gather_rows(View c, ConstView a, ConstView x, const std::int32_t* rows) {
    for (std::int64_t k = 0; k < a.cols; k += kDepth) {
      const LeftValues<T> left{static_cast<const T*>(a.data) + k, a.stride, 1};
      const ListedRows<T> right{static_cast<const T*>(x.data), x.stride, rows + k};
      all_rows({static_cast<T*>(c.data), c.stride, nullptr, c.rows, c.cols,
                std::min(kDepth, a.cols - k), left, right});
    }
  }

  static void scattered(View x, const std::int32_t* rows, ConstView a, ConstView y) {
    for (std::int64_t k = 0; k < a.rows; k += kDepth) {
      const LeftValues<T> left{static_cast<const T*>(a.data) + k * a.stride, 1, a.stride};
      const ListedRows<T> right{static_cast<const T*>(y.data) + k * y.stride, y.stride,
                                kInOrder.data()};
      all_rows({static_cast<T*>(x.data), x.stride, rows, a.cols, y.cols,
                std::min(kDepth, a.rows - k), left, right});
    }
  }

  static void all_rows(const Steps& steps) {
    std::int64_t i = 0;
    if constexpr (Tile::kRows == 4) i = groups<4, Tile::widest(4)>(steps, i, 0);
    i = groups<2, Tile::widest(2)>(steps, i, 0);
    if (i < steps.m) last_row(steps, i);
  }

  /// Processes whole groups of `rows` rows of C from row `first` and column `col` on, in strips of
  /// `vectors` vectors, then narrower ones. Returns the first row that is in no group.
  template <std::int64_t rows, std::int64_t vectors>
  HWY_NOINLINE static std::int64_t groups(const Steps& steps, std::int64_t first,
                                          std::int64_t col) {
    constexpr std::int64_t kWidth = vectors * Tile::kLanes;
    const std::int64_t end = steps.m - (steps.m - first) % rows;
    for (; col + kWidth <= steps.cols; col += kWidth) {
      for (std::int64_t i = first; i < end; i += rows) {
        T* c[rows];
        APSP_UNROLL
        for (std::int64_t r = 0; r < rows; ++r) c[r] = row_of_c(steps, i + r) + col;
        if (steps.depth >= kLong && i + rows < end) {
          fetch_group<rows, vectors>(steps, i + rows, col);
        }
        Tile::template relax_apart<rows, vectors>(steps.depth, left_from(steps, i),
                                                  right_from(steps, col), c);
      }
    }
    if constexpr (kWidth > kLine) groups<rows, vectors / 2>(steps, first, col);
    return end;
  }

  /// Prefetches the next group's part of C, and its left values if they are contiguous in rows:
  /// each has too few lines for a hardware prefetcher.
  template <std::int64_t rows, std::int64_t vectors>
  static HWY_INLINE void fetch_group(const Steps& steps, std::int64_t first, std::int64_t col) {
    for (std::int64_t i = first; i < first + rows; ++i) {
      const T* const c = row_of_c(steps, i) + col;
      for (std::int64_t j = 0; j < vectors * Tile::kLanes; j += kLine) __builtin_prefetch(c + j, 1);
      if (steps.a.depth_step != 1) continue;
      const T* const a = left_from(steps, i).data;
      for (std::int64_t k = 0; k < steps.depth; k += kLine) __builtin_prefetch(a + k);
      __builtin_prefetch(a + steps.depth - 1);
    }
  }

  HWY_NOINLINE static void last_row(const Steps& steps, std::int64_t i) {
    one_row(row_of_c(steps, i), steps.cols, steps.depth, left_from(steps, i), steps.b);
  }

  static HWY_INLINE void one_row(T* c, std::int64_t cols, std::int64_t depth, LeftValues<T> a,
                                 ListedRows<T> b) {
    strips_of_row<Tile::widest(1)>(c, c + cols, depth, a, b);
  }

  /// Columns [c, end) of one row, in strips of `vectors` vectors, then narrower ones.
  template <std::int64_t vectors>
  static HWY_INLINE void strips_of_row(T* c, T* end, std::int64_t depth, LeftValues<T> a,
                                       ListedRows<T> b) {
    constexpr std::int64_t kWidth = vectors * Tile::kLanes;
    for (; end - c >= kWidth; c += kWidth, b.data += kWidth) {
      Tile::template relax<1, vectors>(depth, a, b, &c);
    }
    if constexpr (kWidth > kLine) {
      if (c != end) strips_of_row<vectors / 2>(c, end, depth, a, b);
    }
  }

  static HWY_INLINE T* row_of_c(const Steps& steps, std::int64_t i) {
    return steps.c + (steps.c_rows == nullptr ? i : steps.c_rows[i]) * steps.c_stride;
  }
  static HWY_INLINE LeftValues<T> left_from(const Steps& steps, std::int64_t row) {
    return {steps.a.data + row * steps.a.row_step, steps.a.row_step, steps.a.depth_step};
  }
  static HWY_INLINE ListedRows<T> right_from(const Steps& steps, std::int64_t col) {
    return {steps.b.data + col, steps.b.stride, steps.b.rows};
  }
};

RowOperations row_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits) {
  return with_relaxation(semiring, type, sign, by_bits,
                         []<class R>() { return RowProducts<R>::operations(); });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(row_operations);

RowOperations row_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits) {
  return HWY_DYNAMIC_DISPATCH(row_operations)(semiring, type, sign, by_bits);
}

RowOperations row_operations(Semiring semiring, ValueType type, Sign sign) {
  return row_operations(semiring, type, sign, bits_order_faster(semiring, type, sign));
}

}  // namespace apsp::kernels::cpu
#endif
