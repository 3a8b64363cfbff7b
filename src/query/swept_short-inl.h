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
    if (HWY_UNLIKELY(!hn::AllTrue(d16, path))) note_missed(values, j);
    const auto lower = hn::Lt(distance, hn::Load(d16, signed_greatest() + j));
    if (HWY_UNLIKELY(!hn::AllTrue(d16, lower))) raise(values, j);
    for (std::int64_t i = 0; i < kLanes; i += kLanes32) add(values + i, j + i);
    for (std::int64_t i = 0; i < kLanes; i += kLanes64) add_reciprocals(values + i, j + i);
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
  }

  HWY_INLINE void add_reciprocals(const std::int16_t* values, std::int64_t j) {
    const hn::Rebind<std::int16_t, D64> d16;
    const hn::Rebind<std::int32_t, D64> d32;
    const auto place = hn::PromoteTo(D64(), hn::PromoteTo(d32, hn::Load(d16, values)));
    VF rest = hn::GatherIndex(DF(), tables_.reciprocals, place);
    rest = cut(rest, 0, high_, j);
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

  HWY_NOINLINE void note_missed(const std::int16_t* values, std::int64_t j) {
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::uint32_t missed = values[i] == kNone ? 1 : 0;
      missed_ += missed;
      if constexpr (kBothWays) lanes_.missed[j + i] += missed;
    }
  }

  HWY_NOINLINE void raise(const std::int16_t* values, std::int64_t j) {
    std::int16_t* const greatest = signed_greatest() + j;
    Vertex* const farthest = lanes_.farthest + j;
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::int16_t value = values[i];
      const bool equal = (value == greatest[i]) & (vertex_ < farthest[i]);
      const bool raised = (value != kNone) & ((value > greatest[i]) | equal);
      greatest[i] = raised ? value : greatest[i];
      farthest[i] = raised ? vertex_ : farthest[i];
    }
  }

  std::int16_t* signed_greatest() const { return reinterpret_cast<std::int16_t*>(lanes_.greatest); }

  ShortRow result(std::int64_t cols) const {
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

  Vertex vertex_;
  const ShortLanes& lanes_;
  const ShortTables& tables_;
  V16 least_, greatest_;
  V32 sum_;
  VF high_, middle_, low_;
  std::uint32_t missed_ = 0;
};

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // APSP_QUERY_SWEPT_SHORT_INL_H_
