// Loops of a product around a micro-kernel, as in dense linear algebra (Goto and van de Geijn
// 2008). Included once per instruction set.
//
// B is taken strip by strip, kDepth steps at a time; the slivers of A are multiplied with each
// strip, one register tile of C after another.

#if defined(APSP_KERNELS_CPU_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_KERNELS_CPU_PRODUCT_INL_H_
#undef APSP_KERNELS_CPU_PRODUCT_INL_H_
#else
#define APSP_KERNELS_CPU_PRODUCT_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/rounded_up.hpp"
#include "kernels/cpu/inner_loops.hpp"
#include "kernels/cpu/register_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// Packed panels, in the order in which the micro-kernel reads them.
///
/// Left operand A [m, depth]: slivers of kRows rows, each [depth, kGroup], padded with "no path".
/// Right operand B [depth, n]: strips of kStrip columns, each [depth, kStrip]; the last one has
/// only as many whole vectors as needed, padded with "no path". The transposed forms pack Aᵗ and
/// Bᵗ, for symmetric matrices stored as one triangle.
///
/// Values are moved as bits of their `size`, so types of one size share this code.
template <std::size_t size, bool guarded>
struct Packing {
  using Word = typename BitsOf<size>::Type;
  using Sides = TileSides<size, guarded>;
  static constexpr std::int64_t kRows = Sides::kRows;
  static constexpr std::int64_t kGroup = Sides::kGroup;
  static constexpr std::int64_t kLanes = Sides::kLanes;
  static constexpr std::int64_t kStrip = Sides::kStrip;

  struct Fill {
    Word no_path;
    Word anything;
  };

  static std::int64_t slivers(std::int64_t rows) { return (rows + kRows - 1) / kRows; }
  /// Width of the strip that begins at `col` of n columns: whole vectors, at most kStrip.
  static std::int64_t strip_width(std::int64_t n, std::int64_t col) {
    return std::min(kStrip, base::rounded_up(n - col, kLanes));
  }

  static std::int64_t left_values(std::int64_t rows, std::int64_t depth) {
    return slivers(rows) * kGroup * depth;
  }
  static std::int64_t right_values(std::int64_t cols, std::int64_t depth) {
    return base::rounded_up(cols, kLanes) * depth;
  }

  /// a [m, depth], or a [depth, m] if transposed.
  template <bool transposed>
  HWY_NOINLINE static void left(ConstView a, Fill fill, Word* out) {
    const std::int64_t m = transposed ? a.cols : a.rows;
    const std::int64_t depth = transposed ? a.rows : a.cols;
    const Word* const from = static_cast<const Word*>(a.data);
    for (std::int64_t row = 0; row < m; row += kRows, out += kGroup * depth) {
      const std::int64_t rows = std::min(kRows, m - row);
      const Word* const first = from + row * (transposed ? 1 : a.stride);
      if (rows == kRows) {
        sliver<transposed>(first, a.stride, kRows, depth, fill, out);
      } else {
        sliver<transposed>(first, a.stride, rows, depth, fill, out);
      }
    }
  }

  template <bool transposed>
  static void right(ConstView b, Fill fill, Word* out) {
    const std::int64_t n = transposed ? b.rows : b.cols;
    for (std::int64_t col = 0; col < n; col += kStrip) {
      const std::int64_t width = strip_width(n, col);
      strip<transposed>(b, col, width, fill, out);
      out += width * (transposed ? b.cols : b.rows);
    }
  }

  template <bool transposed>
  HWY_NOINLINE static void strip(ConstView b, std::int64_t col, std::int64_t width, Fill fill,
                                 Word* out) {
    const Word* const from = static_cast<const Word*>(b.data);
    const std::int64_t depth = transposed ? b.cols : b.rows;
    const std::int64_t cols = std::min(width, (transposed ? b.rows : b.cols) - col);
    if constexpr (transposed) {
      for (std::int64_t j = 0; j < cols; ++j) {
        for (std::int64_t k = 0; k < depth; ++k)
          out[k * width + j] = from[(col + j) * b.stride + k];
      }
    }
    for (std::int64_t k = 0; k < depth; ++k) {
      Word* const row = out + k * width;
      if constexpr (!transposed) {
        std::memmove(row, from + k * b.stride + col, static_cast<std::size_t>(cols) * size);
      }
      for (std::int64_t j = cols; j < width; ++j) row[j] = fill.no_path;
    }
  }

 private:
  /// Packs one sliver of `rows` rows. Inlined twice: for full slivers without branches.
  template <bool transposed>
  static HWY_INLINE void sliver(const Word* HWY_RESTRICT from, std::int64_t stride,
                                std::int64_t rows, std::int64_t depth, Fill fill,
                                Word* HWY_RESTRICT out) {
    constexpr std::int64_t kCopies = Sides::kCopies;
    for (std::int64_t k = 0; k < depth; ++k, out += kGroup) {
      APSP_UNROLL
      for (std::int64_t r = 0; r < kRows; ++r) {
        Word value = fill.no_path;
        if (r < rows) value = transposed ? from[k * stride + r] : from[r * stride + k];
        APSP_UNROLL
        for (std::int64_t copy = 0; copy < kCopies; ++copy) out[r * kCopies + copy] = value;
        if constexpr (guarded) {
          out[kRows + r] = value == fill.no_path ? fill.no_path : fill.anything;
        }
      }
    }
  }
};

struct Strip {
  View c;  // [rows, cols], cols ≤ width
  std::int64_t row, col;
  const void* left;   // slivers of [packed_depth, kGroup]
  const void* right;  // [depth, width]
  std::int64_t width;
  std::int64_t packed_depth;
  std::int64_t depth;  // steps to take, at most kDepth
  std::int64_t first_step;
};

struct StripUpdate {
  void (*call)(const Strip& strip, const void* more);
  const void* more = nullptr;
};

template <std::size_t size, bool guarded>
struct ProductStrips {
  using Pack = Packing<size, guarded>;
  using Word = typename Pack::Word;

  /// Calls `update` for all of C ← C ⊕ A ⊗ B, any shapes. C may be A or B if the other one is
  /// closed: the parts that are read were packed before they are written.
  HWY_NOINLINE static void plain(View c, ConstView a, ConstView b, typename Pack::Fill fill,
                                 StripUpdate update) {
    for (std::int64_t k = 0; k < a.cols; k += kDepth) {
      const std::int64_t ks = std::min(kDepth, a.cols - k);
      for (std::int64_t i = 0; i < c.rows; i += kBlockRows) {
        const std::int64_t is = std::min(kBlockRows, c.rows - i);
        Word* const left = buffer(0, Pack::left_values(is, ks));
        Pack::template left<false>(part(a, size, i, k, is, ks), fill, left);
        const ConstView right = part(b, size, k, 0, ks, c.cols);
        Word* const strip = buffer(1, Pack::kStrip * ks);
        for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
          const std::int64_t width = Pack::strip_width(c.cols, j);
          Pack::template strip<false>(right, j, width, fill, strip);
          update.call(Strip{columns(c, i, is, j, width), i, j, left, strip, width, ks, ks, k},
                      update.more);
        }
      }
    }
  }

  /// The same with packed operands: left [c.rows, depth], right [depth, c.cols].
  HWY_NOINLINE static void packed(View c, const void* left, const void* right, std::int64_t depth,
                                  StripUpdate update) {
    const Word* const slivers = static_cast<const Word*>(left);
    const Word* strips = static_cast<const Word*>(right);
    for (std::int64_t j = 0; j < c.cols; j += Pack::kStrip) {
      const std::int64_t width = Pack::strip_width(c.cols, j);
      for (std::int64_t k = 0; k < depth; k += kDepth) {
        update.call(Strip{columns(c, 0, c.rows, j, width), 0, j, slivers + k * Pack::kGroup,
                          strips + k * width, width, depth, std::min(kDepth, depth - k), k},
                    update.more);
      }
      strips += width * depth;
    }
  }

 private:
  // A strip of B and a sliver of A pass through the first-level cache for each register tile; the
  // packed block of A stays in the second level.
  static constexpr std::int64_t kDepth = 192;
  static constexpr std::int64_t kBlockRows = 192;
  static constexpr int kSize = static_cast<int>(size);

  static Word* buffer(int slot, std::int64_t values) {
    return reinterpret_cast<Word*>(packing_bytes(slot, values * kSize));
  }
  static View columns(View c, std::int64_t i, std::int64_t rows, std::int64_t j,
                      std::int64_t width) {
    return part(c, size, i, j, rows, std::min(width, c.cols - j));
  }
};

/// The same for a semiring and value type, with the loops over register tiles of a strip.
template <class R>
struct ProductLoops {
  using T = typename R::T;
  using Strips = ProductStrips<sizeof(T), R::kGuarded>;
  using Pack = typename Strips::Pack;
  using Registers = RegisterTile<R>;

  static constexpr typename Pack::Fill fill() {
    using Word = hwy::UnsignedFromSize<sizeof(T)>;
    return {std::bit_cast<Word>(R::S::zero()), std::bit_cast<Word>(R::kAnything)};
  }

  /// Calls update(row, rows, left, next) for the strip's register tiles from top to bottom. `next`
  /// is the tile to prefetch: the one below, or the top of the next strip.
  template <class F>
  static HWY_INLINE void for_each_tile(const Strip& strip, F&& update) {
    const T* const top = static_cast<const T*>(strip.c.data);
    const T* left = static_cast<const T*>(strip.left);
    for (std::int64_t i = 0; i < strip.c.rows; i += Registers::kRows) {
      const bool below = i + 2 * Registers::kRows <= strip.c.rows;
      const T* const next =
          below ? top + (i + Registers::kRows) * strip.c.stride : top + strip.width;
      update(i, std::min(Registers::kRows, strip.c.rows - i), left, next);
      left += Registers::kGroup * strip.packed_depth;
    }
  }

  template <class F>
  static HWY_INLINE void with_vectors(std::int64_t vectors, F&& f) {
    if constexpr (Registers::kVectors == 4) {
      if (vectors == 4) return f.template operator()<4>();
      if (vectors == 3) return f.template operator()<3>();
    }
    if constexpr (Registers::kVectors >= 2) {
      if (vectors == 2) return f.template operator()<2>();
    }
    f.template operator()<1>();
  }
};

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
