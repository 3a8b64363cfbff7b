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
  /// Steps between loads and stores of C: four vectors of so many rows stay in the first-level
  /// cache while the rows of C pass.
  static constexpr std::int64_t kDepth = 128;
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
    for (std::int64_t k = 0; k < a.cols; k += kDepth) {
      all_rows({static_cast<T*>(c.data), c.stride, nullptr, c.rows, c.cols,
                std::min(kDepth, a.cols - k),
                LeftValues<T>{static_cast<const T*>(a.data) + k, a.stride, 1},
                ListedRows<T>{static_cast<const T*>(x.data), x.stride, rows + k}});
    }
  }

  static void scattered(View x, const std::int32_t* rows, ConstView a, ConstView y) {
    for (std::int64_t k = 0; k < a.rows; k += kDepth) {
      all_rows(
          {static_cast<T*>(x.data), x.stride, rows, a.cols, y.cols, std::min(kDepth, a.rows - k),
           LeftValues<T>{static_cast<const T*>(a.data) + k * a.stride, 1, a.stride},
           ListedRows<T>{static_cast<const T*>(y.data) + k * y.stride, y.stride, kInOrder.data()}});
    }
  }

  static HWY_INLINE void all_rows(const Steps& steps) {
    const std::int64_t fours = steps.m & ~std::int64_t{3}, twos = steps.m & ~std::int64_t{1};
    if (fours > 0) strips<4, Tile::widest(4)>(steps, 0, fours, 0);
    if (twos > fours) strips<2, Tile::widest(2)>(steps, fours, twos, 0);
    if (steps.m > twos) strips<1, Tile::widest(1)>(steps, twos, steps.m, 0);
  }

  /// Rows [first, end) of C, whole groups, from column `col` on: strips of so many vectors, then
  /// narrower ones.
  template <std::int64_t rows, std::int64_t vectors>
  static HWY_INLINE void strips(const Steps& steps, std::int64_t first, std::int64_t end,
                                std::int64_t col) {
    constexpr std::int64_t kWidth = vectors * Tile::kLanes;
    for (; col + kWidth <= steps.cols; col += kWidth) {
      for (std::int64_t i = first; i < end; i += rows) tile<rows, vectors>(steps, i, col);
    }
    if constexpr (kWidth > kLine) strips<rows, vectors / 2>(steps, first, end, col);
  }

  template <std::int64_t rows, std::int64_t vectors>
  static HWY_INLINE void tile(const Steps& steps, std::int64_t i, std::int64_t col) {
    T* c[rows];
    APSP_UNROLL
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t row = steps.c_rows == nullptr ? i + r : steps.c_rows[i + r];
      c[r] = steps.c + row * steps.c_stride + col;
    }
    LeftValues<T> a = steps.a;
    a.data += i * a.row_step;
    ListedRows<T> b = steps.b;
    b.data += col;
    Tile::template relax<rows, vectors>(steps.depth, a, b, c);
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
