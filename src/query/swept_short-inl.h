// The loop of swept_short.hpp, compiled once per instruction set (swept_short.cpp).
#if defined(APSP_QUERY_SWEPT_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_QUERY_SWEPT_SHORT_INL_H_
#undef APSP_QUERY_SWEPT_SHORT_INL_H_
#else
#define APSP_QUERY_SWEPT_SHORT_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "query/swept_short.hpp"
#include "semiring/min_plus.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3
/// 1 / x for whole x from 1 below 2^15, rounded to the nearest; 0 for 0. `estimate`: of 14 digits.
///
/// With e = 1 − x y the estimate y becomes one of 42 digits by y (1 + e + e²), then y (1 + e),
/// which is rounded once and off by some 2^-84 of itself before that. No middle of two doubles lies
/// that near to such a reciprocal. In place of a table, whose lines the counters need.
template <class DF, class VF = hn::Vec<DF>>
HWY_INLINE VF reciprocal(DF df, VF x, VF estimate) {
  const VF one = hn::Set(df, 1.0);
  VF e = hn::NegMulAdd(x, estimate, one);
  const VF y = hn::MulAdd(estimate, hn::MulAdd(e, e, e), estimate);
  e = hn::NegMulAdd(x, y, one);
  return hn::IfThenElseZero(hn::Gt(x, hn::Zero(df)), hn::MulAdd(y, e, y));
}
#endif

template <int kSlices, bool kBothWays>
class ShortSweep {
 public:
  static ShortRow run(const std::uint16_t* values, std::int64_t cols, Vertex vertex,
                      const ShortLanes& lanes, const ShortTables& tables) {
    ShortSweep sweep(vertex, lanes, tables);
    const auto* const signed_values = reinterpret_cast<const std::int16_t*>(values);
    for (std::int64_t j = 0; j < cols; j += kLanes) sweep.take(signed_values + j, j);
    return sweep.result(cols);
  }

 private:
  // Signed: distances have 15 bits, and instruction sets compare signed numbers.
  using D16 = hn::ScalableTag<std::int16_t>;
  using D32 = hn::ScalableTag<std::int32_t>;
  using D64 = hn::ScalableTag<std::int64_t>;
  using DF = hn::ScalableTag<double>;
  using V16 = hn::Vec<D16>;
  using V32 = hn::Vec<D32>;
  using VF = hn::Vec<DF>;
  static constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(D16()));
  static constexpr auto kLanes32 = static_cast<std::int64_t>(hn::MaxLanes(D32()));
  static constexpr auto kLanes64 = static_cast<std::int64_t>(hn::MaxLanes(D64()));
  static constexpr std::int16_t kNone = semiring::MinPlus<std::uint16_t>::zero();

  ShortSweep(Vertex vertex, const ShortLanes& lanes, const ShortTables& tables)
      : vertex_(vertex),
        lanes_(lanes),
        tables_(tables),
        least_(hn::Set(D16(), kNone)),
        greatest_(hn::Set(D16(), -1)),
        sum_(hn::Zero(D32())),
        high_(hn::Zero(DF())),
        middle_(hn::Zero(DF())),
        low_(hn::Zero(DF())) {}

  HWY_INLINE void take(const std::int16_t* values, std::int64_t j) {
    const D16 d16;
    const V16 value = hn::Load(d16, values);
    const auto path = hn::Lt(value, hn::Set(d16, kNone));
    const V16 distance = hn::IfThenElse(path, value, hn::Set(d16, -1));
    least_ = hn::Min(least_, value);
    greatest_ = hn::Max(greatest_, distance);
    if (HWY_UNLIKELY(!hn::AllTrue(d16, path))) missed_ += note_missed(values, lanes_.missed + j);
    const auto lower = hn::Lt(distance, hn::Load(d16, signed_greatest() + j));
    if (HWY_UNLIKELY(!hn::AllTrue(d16, lower))) {
      raise(values, vertex_, signed_greatest() + j, lanes_.farthest + j);
    }
    for (std::int64_t i = 0; i < kLanes; i += kLanes32) add(values + i, j + i);
    count(values);
  }

  HWY_INLINE void add(const std::int16_t* values, std::int64_t j) {
    const D32 d32;
    const hn::Rebind<std::int16_t, D32> d16;
    const V32 value = hn::PromoteTo(d32, hn::Load(d16, values));
    const V32 distance = hn::IfThenElseZero(hn::Lt(value, hn::Set(d32, kNone)), value);
    sum_ = hn::Add(sum_, distance);
    if constexpr (kBothWays) {
      auto* const to = reinterpret_cast<std::int32_t*>(lanes_.sum) + j;
      hn::Store(hn::Add(hn::Load(d32, to), distance), d32, to);
    }
    add_reciprocals(distance, j);
  }

  /// Of so many distances at once, "no path" as zero.
  HWY_INLINE void add_reciprocals(V32 distance, std::int64_t j) {
#if HWY_TARGET == HWY_AVX3
    const hn::Half<D32> half;
    const hn::ScalableTag<float> d_float;
    const hn::Half<decltype(d_float)> half_float;
    const auto estimate = hn::ApproximateReciprocal(hn::ConvertTo(d_float, distance));
    const DF df;
    const VF low = hn::PromoteTo(df, hn::LowerHalf(half, distance));
    const VF high = hn::PromoteTo(df, hn::UpperHalf(half, distance));
    cut(reciprocal(df, low, hn::PromoteTo(df, hn::LowerHalf(half_float, estimate))), j);
    cut(reciprocal(df, high, hn::PromoteTo(df, hn::UpperHalf(half_float, estimate))), j + kLanes64);
#else
    HWY_ALIGN std::int32_t places[hn::MaxLanes(D32())];
    hn::Store(distance, D32(), places);
    const hn::Rebind<std::int32_t, D64> d32;
    for (std::int64_t i = 0; i < kLanes32; i += kLanes64) {
      const auto place = hn::PromoteTo(D64(), hn::Load(d32, places + i));
      cut(hn::GatherIndex(DF(), tables_.reciprocals, place), j + i);
    }
#endif
  }

  /// Adds the values, slice by slice.
  HWY_INLINE void cut(VF value, std::int64_t j) {
    VF rest = cut(value, 0, high_, j);
    if constexpr (kSlices == 3) rest = cut(rest, 1, middle_, j);
    low_ = hn::Add(low_, rest);
    add_down(rest, kSlices - 1, j);
  }

  /// Adds the part of `value` in a slice and returns what is left.
  HWY_INLINE VF cut(VF value, int slice, VF& sum, std::int64_t j) {
    const VF round = hn::Set(DF(), tables_.round[static_cast<std::size_t>(slice)]);
    const VF part = hn::Sub(hn::Add(value, round), round);
    sum = hn::Add(sum, part);
    add_down(part, slice, j);
    return hn::Sub(value, part);
  }

  HWY_INLINE void add_down(VF part, int slice, std::int64_t j) {
    if constexpr (kBothWays) {
      double* const to = lanes_.harmonic[static_cast<std::size_t>(slice)] + j;
      hn::Store(hn::Add(hn::Load(DF(), to), part), DF(), to);
    }
  }

  HWY_INLINE void count(const std::int16_t* values) {
    if constexpr (kLanes < kShortTables) {
      for (std::int64_t i = 0; i < kLanes; ++i) ++tables_.counts[0][values[i]];
      return;
    }
    for (std::int64_t i = 0; i < kLanes; i += kShortTables) {
      std::uint64_t four = 0;
      std::memcpy(&four, values + i, sizeof(four));
      ++tables_.counts[0][four & 0xFFFF];
      ++tables_.counts[1][(four >> 16) & 0xFFFF];
      ++tables_.counts[2][(four >> 32) & 0xFFFF];
      ++tables_.counts[3][four >> 48];
    }
  }

  HWY_NOINLINE static std::uint32_t note_missed(const std::int16_t* values, std::uint32_t* lanes) {
    std::uint32_t all = 0;
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::uint32_t missed = values[i] == kNone ? 1 : 0;
      all += missed;
      if constexpr (kBothWays) lanes[i] += missed;
    }
    return all;
  }

  HWY_NOINLINE static void raise(const std::int16_t* values, Vertex vertex, std::int16_t* greatest,
                                 Vertex* farthest) {
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::int16_t value = values[i];
      const bool equal = (value == greatest[i]) & (vertex < farthest[i]);
      const bool raised = (value != kNone) & ((value > greatest[i]) | equal);
      greatest[i] = raised ? value : greatest[i];
      farthest[i] = raised ? vertex : farthest[i];
    }
  }

  std::int16_t* signed_greatest() const { return reinterpret_cast<std::int16_t*>(lanes_.greatest); }

  HWY_INLINE ShortRow result(std::int64_t cols) const {
    ShortRow row;
    row.reached = static_cast<std::uint32_t>(cols) - missed_;
    row.least = static_cast<std::uint16_t>(hn::GetLane(hn::MinOfLanes(D16(), least_)));
    if (row.reached == 0) return row;
    row.greatest = static_cast<std::uint16_t>(hn::GetLane(hn::MaxOfLanes(D16(), greatest_)));
    HWY_ALIGN std::int32_t sums[hn::MaxLanes(D32())];
    hn::Store(sum_, D32(), sums);
    for (const std::int32_t sum : sums) row.sum += static_cast<std::uint32_t>(sum);
    row.harmonic[0] = hn::GetLane(hn::SumOfLanes(DF(), high_));
    if constexpr (kSlices == 3) row.harmonic[1] = hn::GetLane(hn::SumOfLanes(DF(), middle_));
    row.harmonic[kSlices - 1] = hn::GetLane(hn::SumOfLanes(DF(), low_));
    return row;
  }

  // All of these rest in registers: no function that is not inlined is given this object.
  Vertex vertex_;
  ShortLanes lanes_;
  ShortTables tables_;
  V16 least_, greatest_;
  V32 sum_;
  VF high_, middle_, low_;
  std::uint32_t missed_ = 0;
};

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // APSP_QUERY_SWEPT_SHORT_INL_H_
