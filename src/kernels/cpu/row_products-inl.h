// The loops of a product with listed rows around its register tile. Included once per instruction
// set.

#if defined(APSP_KERNELS_CPU_ROW_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_ROW_PRODUCTS_INL_H_
#undef APSP_KERNELS_CPU_ROW_PRODUCTS_INL_H_
#else
#define APSP_KERNELS_CPU_ROW_PRODUCTS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/cpu/row_products.hpp"
#include "kernels/cpu/row_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

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
  /// Steps between loads and stores of C: so many rows of a strip of X stay in the first-level
  /// cache while the rows of C pass, if their stride is no large power of two.
  static constexpr std::int64_t kDepth = Tile::kRows == 2 ? 64 : 128;
  /// So many steps are worth asking for the next group.
  static constexpr std::int64_t kLong = 32;
  /// The list of rows that lie one after another.
  static constexpr std::array<std::int32_t, kDepth> kInOrder = [] {
    std::array<std::int32_t, kDepth> rows{};
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::int32_t>(k);
    return rows;
  }();

  /// Some steps of a product. Row i of C is at c + row · stride, row = c_rows[i], or i without a
  /// list.
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

  /// Whole groups of `rows` rows of C from row `first` on, from column `col` on: strips of so many
  /// vectors, then narrower ones. Returns the first row that is in no group.
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

  /// Asks for the next group's part of C, and for its left values where they lie along its rows:
  /// some lines of each, too few for a hardware prefetcher.
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

  /// Columns [c, end) of one row: strips of so many vectors, then narrower ones.
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

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
