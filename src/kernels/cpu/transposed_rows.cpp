// A line of 64 bytes of each of some rows becomes a line of each of some columns. Squares of 128
// bits are transposed in registers and laid down in a buffer that stays in the first-level cache;
// four of them side by side are a line of the result, which is written past the caches where it
// can be: results are larger than those. Compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/transposed_rows.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/transposed_blocks-inl.h"
#include "kernels/cpu/transposed_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class T>
class TransposedRows {
 public:
  static void transpose(ConstView from, void* const* to, std::int64_t count) {
    const T* const values = static_cast<const T*>(from.data);
    for (std::int64_t j = 0; j < from.rows; j += kLine) {
      const std::int64_t rows = std::min(kLine, from.rows - j);
      for (std::int64_t i = 0; i < count; i += kLine) {
        turn_line({values + j * from.stride + i, rows, kLine, from.stride}, to + i, j,
                  std::min(kLine, count - i));
      }
    }
    hwy::FlushStream();
  }

 private:
  using D = hn::ScalableTag<T>;
  using Piece = hn::CappedTag<T, kSquare<T>>;
  static constexpr std::int64_t kLine = 64 / sizeof(T);
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t kSide = kSquare<T>;

  /// to[i][j …] ← column i of `from`, i < count. from: [rows ≤ kLine, kLine].
  static HWY_INLINE void turn_line(ConstView from, void* const* to, std::int64_t j,
                                   std::int64_t count) {
    HWY_ALIGN T squares[kLine * kLine];
    turn_squares_of(from, squares);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t lane = i % kLanes;
      const T* const first =
          squares + (i - lane) * kSide + lane % kSide * kLanes + lane / kSide * kSide;
      T* const line = static_cast<T*>(to[i]) + j;
      if (from.rows < kLine) {
        copy_part(first, from.rows, line);
      } else if (reinterpret_cast<std::uintptr_t>(line) % 64 == 0) {
        for_each_piece([&](std::int64_t p) {
          hn::Stream(hn::Load(Piece(), first + p * kLine), Piece(), line + p);
        });
      } else {
        for_each_piece([&](std::int64_t p) {
          hn::StoreU(hn::Load(Piece(), first + p * kLine), Piece(), line + p);
        });
      }
    }
  }

  /// squares: [kLine / kSide] groups of rows, each [kLine / kLanes, kSide] vectors.
  static HWY_INLINE void turn_squares_of(ConstView from, T* squares) {
    const D d;
    const T* const values = static_cast<const T*>(from.data);
    for (std::int64_t j = 0; j < from.rows; j += kSide) {
      for (std::int64_t i = 0; i < kLine; i += kLanes) {
        hn::Vec<D> rows[kSide];
        APSP_UNROLL
        for (std::int64_t r = 0; r < kSide; ++r) {
          const std::int64_t row = std::min(j + r, from.rows - 1);
          rows[r] = hn::Load(d, values + row * from.stride + i);
        }
        turn_squares<T>(rows);
        APSP_UNROLL
        for (std::int64_t r = 0; r < kSide; ++r, squares += kLanes) hn::Store(rows[r], d, squares);
      }
    }
  }

  /// act(p) for the pieces of a line, p = 0, kSide, …
  template <class F>
  static HWY_INLINE void for_each_piece(F&& act) {
    APSP_UNROLL
    for (std::int64_t p = 0; p < kLine; p += kSide) act(p);
  }

  static void copy_part(const T* first, std::int64_t rows, T* line) {
    for (std::int64_t p = 0; p < rows; p += kSide) {
      std::copy_n(first + p * kLine, std::min(kSide, rows - p), line + p);
    }
  }
};

void spread_rows(const std::byte* from, std::span<const std::uint32_t> where, std::int64_t bytes,
                 std::byte* to) {
  const hn::ScalableTag<std::uint8_t> d;
  constexpr std::int64_t kStep = hn::MaxLanes(d);
  const auto* values = reinterpret_cast<const std::uint8_t*>(from);
  for (const std::uint32_t place : where) {
    auto* const row = reinterpret_cast<std::uint8_t*>(to) + place * bytes;
    for (std::int64_t i = 0; i < bytes; i += kStep) hn::Stream(hn::Load(d, values + i), d, row + i);
    values += bytes;
  }
}

TransposeRows transpose_rows(int value_size) {
  switch (value_size) {
    case 1:
      return &TransposedRows<std::uint8_t>::transpose;
    case 2:
      return &TransposedRows<std::uint16_t>::transpose;
    case 4:
      return &TransposedRows<std::uint32_t>::transpose;
    default:
      return &TransposedRows<std::uint64_t>::transpose;
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(spread_rows);
HWY_EXPORT(transpose_rows);

void spread_rows(const std::byte* from, std::span<const std::uint32_t> where, std::int64_t bytes,
                 std::byte* to) {
  HWY_DYNAMIC_DISPATCH(spread_rows)(from, where, bytes, to);
}

TransposeRows transpose_rows(int value_size) {
  return HWY_DYNAMIC_DISPATCH(transpose_rows)(value_size);
}

}  // namespace apsp::kernels::cpu
#endif
