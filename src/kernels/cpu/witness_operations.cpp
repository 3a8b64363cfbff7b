// Operations with a witness for every semiring and value type, compiled once per instruction set:
// products that record pivots, and closure by halves.
//
// A register tile records the pivot of the last improvement of each value. Pivots are taken in
// chunks of kChunk by the plain kernel; then each value is compared with the one before, and the
// number of the chunk is stored if it improved: one comparison and two stores per vector, for
// kChunk relaxations of two instructions. After all pivots, the recorded chunk of each improved
// value is searched for its first pivot whose product is the final value; it set the value, since
// the value before the chunk was worse and no later one was better. Few values improve in one step
// of a solve, which takes 1.6 to 1.9 times as long as one without witness (f32); comparing and
// blending in every relaxation takes 2.2 to 2.6 times (bench/attempts.md).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/witness_operations.cpp"
#include "base/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "base/rounded_up.hpp"
#include "kernels/close_by_halves.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/product-inl.h"
#include "kernels/cpu/register_tile-inl.h"
#include "kernels/cpu/relaxation-inl.h"
#include "kernels/cpu/transposed_blocks-inl.h"
#include "kernels/cpu/witness_operations.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// A transposed strip of B, where steps of one column are adjacent, in pieces of kSteps, as many as
/// fit in 128 bits. Squares are transposed in registers: one percent of the strip's product.
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

  /// strip: [depth, width] packed; out: [values], 64-byte aligned. Steps beyond depth are no path.
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
        transpose_squares<T>(rows);
        APSP_UNROLL
        for (std::int64_t i = 0; i < kSteps; ++i, out += kLanes) hn::Store(rows[i], d, out);
      }
    }
  }

  static HWY_INLINE const T* piece(const T* transposed, std::int64_t width, std::int64_t step,
                                   std::int64_t column) {
    // A vector of columns became kSteps vectors; column kSteps · b + i is piece b of vector i.
    const auto lane = static_cast<std::uint64_t>(column) % kLanes;
    const std::uint64_t place = lane % kSteps * kLanes + lane / kSteps * kSteps;
    return transposed + step * width + (static_cast<std::uint64_t>(column) - lane) * kSteps + place;
  }

 private:
  using D = typename Registers::D;
};

template <class R>
class WitnessTile {
 public:
  using T = typename R::T;
  using Registers = RegisterTile<R>;
  using Transposed = TransposedStrip<R>;
  static constexpr std::int64_t kRows = Registers::kRows;
  static constexpr std::int64_t kWord = std::min<std::int64_t>(64, Registers::kStrip);

  T* row(std::int64_t r, std::int64_t width) { return values_ + r * width; }

  /// values [kRows, vectors · kLanes] ← values ⊕ a ⊗ b; a: [depth, kGroup] packed, b: [depth,
  /// vectors · kLanes] packed. Not inlined, because GCC would spill accumulators.
  template <std::int64_t vectors>
  HWY_NOINLINE void relax(std::int64_t depth, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                          const T* next, std::int64_t next_stride) {
    typename Registers::template Accumulators<vectors> tile;
    tile.load(values_, vectors * kLanes);
    const DW d;
    for (std::int64_t i = 0; i < kRows * vectors; ++i) {
      hn::Store(hn::Set(d, kUnchanged), d, chunks_ + i * kLanes);
    }
    std::int64_t chunk = 0;
    for (std::int64_t k = 0; k < depth; ++chunk) {
      if (chunk < kRows) Registers::template fetch_row<vectors>(next + chunk * next_stride);
      for (const std::int64_t end = std::min(depth, k + kChunk); k < end; ++k) {
        tile.relax(a, b);
        a += Registers::kGroup;
        b += vectors * kLanes;
      }
      note(tile, static_cast<Lane>(chunk));
    }
  }

  /// Returns a bit for each of at most kWord values of row r from column j on: whether it improved.
  std::uint64_t improved(std::int64_t r, std::int64_t j, std::int64_t width) const {
    const DW d;
    const Lane* const chunks = chunks_ + r * width + j;
    std::uint64_t word = 0;
    for (std::int64_t v = 0; v < std::min(width - j, kWord); v += kLanes) {
      const auto changed = hn::Ne(hn::Load(d, chunks + v), hn::Set(d, kUnchanged));
      word |= bits_of(d, changed) << v;
    }
    return word;
  }

  /// Returns the step that set an improved value. a: as for `relax`; transposed: b transposed.
  HWY_INLINE std::int64_t step_of(std::int64_t r, std::int64_t column, std::int64_t width,
                                  std::int64_t depth, const T* a, const T* transposed) const {
    const std::int64_t at = r * width + column;
    const std::int64_t first = static_cast<std::int64_t>(chunks_[at]) * kChunk;
    a += first * Registers::kGroup + r * Registers::kCopies;
    const T* const b = Transposed::piece(transposed, width, first, column);
    if (first + kChunk <= depth) return first + step_in(values_[at], a, b, width, kChunk);
    return first + step_in(values_[at], a, b, width, depth - first);
  }

 private:
  using D = typename Registers::D;
  using DW = hn::RebindToUnsigned<D>;
  using Lane = hn::TFromD<DW>;
  static constexpr std::int64_t kLanes = Registers::kLanes;
  static constexpr Lane kUnchanged = static_cast<Lane>(~Lane{0});
  /// Pivots of a chunk. Recording and searching are balanced; 4 and 16 are no faster.
  static constexpr std::int64_t kChunk = std::max<std::int64_t>(8, Transposed::kSteps);

  /// Stores `chunk` for each changed value, and the values.
  template <class View>
  HWY_INLINE void note(const View& tile, Lane chunk) {
    const D d;
    const DW dw;
    const auto number = hn::Set(dw, chunk);
    APSP_UNROLL
    for (std::int64_t r = 0; r < kRows; ++r) {
      APSP_UNROLL
      for (std::int64_t v = 0; v < View::kVectors; ++v) {
        const std::int64_t at = (r * View::kVectors + v) * kLanes;
        const auto better = hn::Ne(tile.values[r][v], hn::Load(d, values_ + at));
        hn::Store(tile.values[r][v], d, values_ + at);
        hn::BlendedStore(number, hn::RebindMask(dw, better), dw, chunks_ + at);
      }
    }
  }

  /// Returns the first of `steps` ≤ kChunk steps whose product is `value`; one exists.
  static HWY_INLINE std::int64_t step_in(T value, const T* a, const T* b, std::int64_t width,
                                         std::int64_t steps) {
    const hn::CappedTag<T, Transposed::kSteps> d;
    std::uint64_t found = 0;
    APSP_UNROLL
    for (std::int64_t k = 0; k < kChunk; k += Transposed::kSteps) {
      if (k >= steps) break;
      HWY_ALIGN T column[Transposed::kSteps];
      APSP_UNROLL
      for (std::int64_t i = 0; i < Transposed::kSteps; ++i) {
        column[i] = a[std::min(k + i, steps - 1) * Registers::kGroup];
      }
      const auto left = hn::Load(d, column);
      const auto right = hn::LoadU(d, b + k * width);
      auto product = R::times(left, right);
      if constexpr (R::kGuarded) {
        product = R::guarded(product, R::guard_of(d, left), R::guard_of(d, right));
      }
      found |= bits_of(d, hn::Eq(product, hn::Set(d, value))) << k;
    }
    return std::countr_zero(found);
  }

  template <class Tag, class M>
  static HWY_INLINE std::uint64_t bits_of(Tag d, M mask) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
  }

  HWY_ALIGN T values_[kRows * Registers::kStrip] = {};  // [kRows, width]
  HWY_ALIGN Lane chunks_[kRows * Registers::kStrip];
};

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
