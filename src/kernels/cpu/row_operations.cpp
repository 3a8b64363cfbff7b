#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_operations.cpp"
#include "base/targets.hpp"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "kernels/cpu/row_operations.hpp"
#include "kernels/cpu/transposed_blocks-inl.h"
#include "kernels/transpose.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

// Rows are reduced and restored in double-double (base/double_double.hpp): twenty additions per
// value, about the speed of memory on an AVX-512 core.

using base::kLargestFinite;
using base::reduced;
using base::restored;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
static_assert(sizeof(Potential) == 2 * sizeof(double));

struct TwoDoubles {
  Vector high, low;
};

HWY_INLINE TwoDoubles two_sum(Vector a, Vector b) {
  const Vector sum = hn::Add(a, b);
  const Vector of_b = hn::Sub(sum, a);
  return {sum, hn::Add(hn::Sub(a, hn::Sub(sum, of_b)), hn::Sub(b, of_b))};
}

HWY_INLINE Vector combine(TwoDoubles a, TwoDoubles b, Vector c) {
  const TwoDoubles highs = two_sum(a.high, hn::Neg(b.high));
  const Vector low = hn::Add(highs.low, hn::Sub(a.low, b.low));
  const TwoDoubles value = two_sum(highs.high, c);
  return hn::Add(value.high, hn::Add(value.low, low));
}

HWY_INLINE Vector load(Doubles d, const double* values) { return hn::LoadU(d, values); }
HWY_INLINE Vector load(Doubles d, const float* values) {
  const hn::Rebind<float, Doubles> narrow;
  return hn::PromoteTo(d, hn::LoadU(narrow, values));
}
HWY_INLINE void store(Doubles d, Vector values, double* out) { hn::StoreU(values, d, out); }
HWY_INLINE void store(Doubles, Vector values, float* out) {
  const hn::Rebind<float, Doubles> narrow;
  hn::StoreU(hn::DemoteTo(narrow, values), narrow, out);
}

HWY_INLINE TwoDoubles load_potentials(Doubles d, const Potential* potentials) {
  Vector high, low;
  hn::LoadInterleaved2(d, &potentials->high, high, low);
  return {high, low};
}

/// Highway without vectors narrows infinity to the largest float; scalar code is used instead.
constexpr bool kVectors = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;

template <class T>
void reduce(void* row, std::int64_t n, Potential from, const Potential* to, double sign) {
  const Doubles d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const TwoDoubles source = {hn::Set(d, from.high), hn::Set(d, from.low)};
  const Vector signs = hn::Set(d, sign), largest = hn::Set(d, kLargestFinite);
  auto* const values = static_cast<T*>(row);
  std::int64_t j = 0;
  for (; kVectors && j + lanes <= n; j += lanes) {
    const Vector weight = hn::Mul(load(d, values + j), signs);
    const Vector value = combine(source, load_potentials(d, to + j), weight);
    const Vector positive = hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value);
    store(d, hn::IfThenElse(hn::Gt(weight, largest), weight, positive), values + j);
  }
  for (; j < n; ++j) values[j] = reduced(static_cast<T>(sign) * values[j], from, to[j]);
}

template <class T>
LargestOfRow restore(void* row, std::int64_t n, Potential from, const Potential* to, double sign) {
  const Doubles d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const TwoDoubles source = {hn::Set(d, from.high), hn::Set(d, from.low)};
  const Vector signs = hn::Set(d, sign), largest = hn::Set(d, kLargestFinite);
  Vector most_reduced = hn::Zero(d), most_distant = hn::Zero(d);
  auto* const values = static_cast<T*>(row);
  std::int64_t j = 0;
  for (; kVectors && j + lanes <= n; j += lanes) {
    const Vector length = load(d, values + j);
    const Vector value = combine(load_potentials(d, to + j), source, length);
    const auto none = hn::Gt(length, largest);
    const Vector distance = hn::IfThenElse(none, length, value);
    most_reduced = hn::Max(most_reduced, hn::IfThenZeroElse(none, length));
    most_distant = hn::Max(most_distant, hn::IfThenZeroElse(none, hn::Abs(value)));
    store(d, hn::Add(hn::Mul(distance, signs), hn::Zero(d)), values + j);
  }
  LargestOfRow most{hn::GetLane(hn::MaxOfLanes(d, most_reduced)),
                    hn::GetLane(hn::MaxOfLanes(d, most_distant))};
  for (; j < n; ++j) {
    const T length = values[j];
    const T distance = restored(length, from, to[j]);
    values[j] = static_cast<T>(sign) * distance + T(0);
    if (static_cast<double>(length) > kLargestFinite) continue;
    most.reduced = std::max(most.reduced, static_cast<double>(length));
    most.distance = std::max(most.distance, std::abs(static_cast<double>(distance)));
  }
  return most;
}

PotentialOperations potential_operations(ValueType type) {
  if (type == ValueType::f64) return {&reduce<double>, &restore<double>};
  return {&reduce<float>, &restore<float>};
}

// Transposes a line of 64 bytes of some rows at a time. Squares of 128 bits are transposed in
// registers and written to a buffer in the first-level cache; four adjacent ones form a line of the
// result, which is stored past the caches if possible, because results exceed them.

template <class T>
class TransposedRows {
 public:
  static void transpose(ConstView from, void* const* to, std::int64_t count) {
    const T* const values = static_cast<const T*>(from.data);
    for (std::int64_t j = 0; j < from.rows; j += kLine) {
      const std::int64_t rows = std::min(kLine, from.rows - j);
      for (std::int64_t i = 0; i < count; i += kLine) {
        transpose_line({values + j * from.stride + i, rows, kLine, from.stride}, to + i, j,
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
  static HWY_INLINE void transpose_line(ConstView from, void* const* to, std::int64_t j,
                                        std::int64_t count) {
    HWY_ALIGN T squares[kLine * kLine];
    transpose_squares_of(from, squares);
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
  static HWY_INLINE void transpose_squares_of(ConstView from, T* squares) {
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
        transpose_squares<T>(rows);
        APSP_UNROLL
        for (std::int64_t r = 0; r < kSide; ++r, squares += kLanes) hn::Store(rows[r], d, squares);
      }
    }
  }

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
  return with_word(value_size,
                   []<class Word>() -> TransposeRows { return &TransposedRows<Word>::transpose; });
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(potential_operations);
HWY_EXPORT(spread_rows);
HWY_EXPORT(transpose_rows);

PotentialOperations potential_operations(ValueType type) {
  return HWY_DYNAMIC_DISPATCH(potential_operations)(type);
}

void spread_rows(const std::byte* from, std::span<const std::uint32_t> where, std::int64_t bytes,
                 std::byte* to) {
  HWY_DYNAMIC_DISPATCH(spread_rows)(from, where, bytes, to);
}

TransposeRows transpose_rows(int value_size) {
  return HWY_DYNAMIC_DISPATCH(transpose_rows)(value_size);
}

}  // namespace apsp::kernels::cpu
#endif
