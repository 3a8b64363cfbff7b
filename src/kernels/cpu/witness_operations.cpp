// Operations with a witness for every semiring and value type, compiled once per instruction set:
// products that record pivots (witness_tile-inl.h), and closure by halves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/witness_operations.cpp"
#include "base/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "kernels/close_by_halves.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/product-inl.h"
#include "kernels/cpu/relaxation-inl.h"
#include "kernels/cpu/witness_operations.hpp"
#include "kernels/cpu/witness_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class R>
class WitnessMultiply {
 public:
  using T = typename R::T;

  static void run(View c, View via, ConstView a, ConstView b, std::int64_t first_pivot) {
    const Pivots pivots{via, first_pivot};
    Loops::Strips::plain(c, a, b, Loops::fill(), {update_strip, &pivots});
  }

  static void run_packed(View c, View via, const void* left, const void* right, std::int64_t depth,
                         std::int64_t first_pivot) {
    const Pivots pivots{via, first_pivot};
    Loops::Strips::packed(c, left, right, depth, {update_strip, &pivots});
  }

 private:
  using Loops = ProductLoops<R>;
  using Registers = RegisterTile<R>;
  using Watched = WitnessTile<R>;
  using Transposed = TransposedStrip<R>;

  /// The matrix of pivots, and the number of the product's first pivot.
  struct Pivots {
    View via;
    std::int64_t first;
  };

  static void update_strip(const Strip& strip, const void* more) {
    const Pivots& pivots = *static_cast<const Pivots*>(more);
    T* const data = static_cast<T*>(strip.c.data);
    Watched tile;
    const T* transposed = nullptr;  // computed when a value improves first
    Loops::for_each_tile(strip, [&](std::int64_t row, std::int64_t rows, const T* left,
                                    const T* next) {
      T* const corner = data + row * strip.c.stride;
      for (std::int64_t r = 0; r < rows; ++r) {
        std::copy_n(corner + r * strip.c.stride, strip.c.cols, tile.row(r, strip.width));
      }
      Loops::with_vectors(strip.width / Registers::kLanes, [&]<std::int64_t vectors>() {
        tile.template relax<vectors>(strip.depth, left, static_cast<const T*>(strip.right), next,
                                     strip.c.stride);
      });
      for (std::int64_t r = 0; r < rows; ++r) {
        std::copy_n(tile.row(r, strip.width), strip.c.cols, corner + r * strip.c.stride);
      }
      const View via_rows =
          part(pivots.via, sizeof(std::int32_t), strip.row + row, strip.col, rows, strip.c.cols);
      transposed = note(tile, via_rows, strip, left, transposed, pivots.first + strip.first_step);
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
    Transposed::transpose(static_cast<const T*>(strip.right), strip.depth, strip.width, transposed);
    return transposed;
  }
};

template <class R>
class WitnessClose {
 public:
  using T = typename R::T;

  static std::int64_t run(View d, View via, Cycles cycles, std::int64_t first_pivot) {
    const auto of = [d](const TilePart& p) { return part(d, sizeof(T), p); };
    const auto to = [via](const TilePart& p) { return part(via, kViaSize, p); };
    return close_by_halves(
        0, d.rows,
        [&](const TilePart& p) { return pivots(of(p), to(p), cycles, first_pivot + p.col); },
        [&](const TilePart& c, const TilePart& a, const TilePart& b) {
          WitnessMultiply<R>::run(of(c), to(c), of(a), of(b), first_pivot + a.col);
        },
        [&](const TilePart& p) {
          if (cycles == Cycles::excluded) put_back_diagonal(of(p), to(p));
        });
  }

 private:
  static std::int64_t pivots(View d, View via, Cycles cycles, std::int64_t first_pivot) {
    T* const data = static_cast<T*>(d.data);
    for (std::int64_t k = 0; k < d.rows; ++k) {
      T* const pivot_row = data + k * d.stride;
      if (R::S::better(pivot_row[k], R::S::one())) {
        if (cycles == Cycles::possible) return k;
        pivot_row[k] = R::S::one();
      }
      for (std::int64_t i = 0; i < d.rows; ++i) {
        T* const row = data + i * d.stride;
        if (i == k || row[k] == R::S::zero()) continue;
        relax_row(row, static_cast<std::int32_t*>(via.data) + i * via.stride, row[k], pivot_row,
                  d.cols, static_cast<std::int32_t>(first_pivot + k));
      }
    }
    if (cycles == Cycles::excluded) put_back_diagonal(d, via);
    return -1;
  }

  /// row [n] ← row ⊕ left ⊗ pivot_row; via [n] ← pivot where that is better.
  static void relax_row(T* HWY_RESTRICT row, std::int32_t* HWY_RESTRICT via, T left,
                        const T* HWY_RESTRICT pivot_row, std::int64_t n, std::int32_t pivot) {
    for (std::int64_t j = 0; j < n; ++j) {
      const T product = R::S::times(left, pivot_row[j]);
      const bool better = R::S::better(product, row[j]);
      row[j] = better ? product : row[j];
      via[j] = better ? pivot : via[j];
    }
  }

  static void put_back_diagonal(View d, View via) {
    for (std::int64_t i = 0; i < d.rows; ++i) {
      static_cast<T*>(d.data)[i * d.stride + i] = R::S::one();
      static_cast<std::int32_t*>(via.data)[i * via.stride + i] = kNoVia;
    }
  }
};

WitnessOperations witness_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits) {
  return with_relaxation(semiring, type, sign, by_bits, []<class R>() {
    WitnessOperations operations;
    operations.close = &WitnessClose<R>::run;
    operations.multiply_packed = &WitnessMultiply<R>::run_packed;
    return operations;
  });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(witness_operations);

WitnessOperations witness_operations(Semiring semiring, ValueType type, Sign sign) {
  const bool by_bits = bits_order_faster(semiring, type, sign);
  return HWY_DYNAMIC_DISPATCH(witness_operations)(semiring, type, sign, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
