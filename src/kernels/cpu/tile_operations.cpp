// Operations on tiles for every semiring and value type, compiled once per instruction set:
// products (product-inl.h) and Floyd-Warshall inside a tile.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/tile_operations.cpp"
#include "base/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/close_by_halves.hpp"
#include "kernels/cpu/product-inl.h"
#include "kernels/cpu/relaxation-inl.h"
#include "kernels/cpu/tile_operations.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class MultiplyAdd {
 public:
  using T = typename R::T;

  static void run(View c, ConstView a, ConstView b) {
    Loops::Strips::plain(c, a, b, Loops::fill(), {update_strip});
  }

  static void run_packed(View c, const void* left, const void* right, std::int64_t depth) {
    Loops::Strips::packed(c, left, right, depth, {update_strip});
  }

 private:
  using Loops = ProductLoops<R>;
  using Registers = RegisterTile<R>;

  static void update_strip(const Strip& strip, const void*) {
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
      Registers::template relax<vectors>(strip.depth, left, static_cast<const T*>(strip.right), c,
                                         stride, next, strip.c.stride);
    });
  }

  /// Relaxes tiles at the edge of C, with `rows` rows, or not all columns.
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

template <class R>
class Close {
 public:
  using T = typename R::T;

  static std::int64_t run(View d, Cycles cycles) {
    const auto of = [d](const TilePart& p) { return part(d, sizeof(T), p); };
    return close_by_halves(
        0, d.rows, [&](const TilePart& p) { return pivots(of(p), cycles); },
        [&](const TilePart& c, const TilePart& a, const TilePart& b) {
          MultiplyAdd<R>::run(of(c), of(a), of(b));
        },
        [&](const TilePart& p) {
          if (cycles == Cycles::excluded) put_back_diagonal(of(p));
        });
  }

 private:
  static std::int64_t pivots(View d, Cycles cycles) {
    T* const data = static_cast<T*>(d.data);
    for (std::int64_t k = 0; k < d.rows; ++k) {
      T* const pivot_row = data + k * d.stride;
      if (R::S::better(pivot_row[k], R::S::one())) {
        if (cycles == Cycles::possible) return k;
        pivot_row[k] = R::S::one();
      }
      for (std::int64_t i = 0; i < d.rows; ++i) {
        T* const row = data + i * d.stride;
        if (i != k && row[k] != R::S::zero()) relax_row(row, row[k], pivot_row, d.cols);
      }
    }
    if (cycles == Cycles::excluded) put_back_diagonal(d);
    return -1;
  }

  /// row [n] ← row ⊕ left ⊗ pivot_row.
  static void relax_row(T* HWY_RESTRICT row, T left, const T* HWY_RESTRICT pivot_row,
                        std::int64_t n) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto a = hn::Set(d, left);
    const auto guard_a = hn::Set(d, R::guard(left));
    std::int64_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      const auto b = hn::LoadU(d, pivot_row + j);
      auto product = R::times(a, b);
      if constexpr (R::kGuarded) product = R::guarded(product, guard_a, R::guard_of(d, b));
      hn::StoreU(R::plus(hn::LoadU(d, row + j), product), d, row + j);
    }
    for (; j < n; ++j) row[j] = R::S::plus(row[j], R::S::times(left, pivot_row[j]));
  }

  static void put_back_diagonal(View d) {
    T* const data = static_cast<T*>(d.data);
    for (std::int64_t i = 0; i < d.rows; ++i) data[i * d.stride + i] = R::S::one();
  }
};

template <class R>
TileOperations operations_of(ValueType type) {
  using Loops = ProductLoops<R>;
  using Pack = typename Loops::Pack;
  using Word = typename Pack::Word;
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(Word));
  PackedOperations packed;
  packed.left_bytes = [](std::int64_t rows, std::int64_t depth) {
    return Pack::left_values(rows, depth) * kSize;
  };
  packed.right_bytes = [](std::int64_t cols, std::int64_t depth) {
    return Pack::right_values(cols, depth) * kSize;
  };
  packed.pack_left = [](ConstView a, bool transposed, void* out) {
    const auto pack = transposed ? &Pack::template left<true> : &Pack::template left<false>;
    pack(a, Loops::fill(), static_cast<Word*>(out));
  };
  packed.pack_right = [](ConstView b, bool transposed, void* out) {
    const auto pack = transposed ? &Pack::template right<true> : &Pack::template right<false>;
    pack(b, Loops::fill(), static_cast<Word*>(out));
  };
  packed.multiply_add = &MultiplyAdd<R>::run_packed;
  return {R::kKind, type, sizeof(Word), &MultiplyAdd<R>::run, &Close<R>::run, packed};
}

TileOperations tile_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits) {
  return with_relaxation(semiring, type, sign, by_bits,
                         [&]<class R>() { return operations_of<R>(type); });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(tile_operations);

TileOperations tile_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits) {
  return HWY_DYNAMIC_DISPATCH(tile_operations)(semiring, type, sign, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
