// The loop of swept_short.hpp, compiled once per instruction set (swept_short.cpp).
#if defined(APSP_QUERY_SWEPT_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef APSP_QUERY_SWEPT_SHORT_INL_H_
#undef APSP_QUERY_SWEPT_SHORT_INL_H_
#else
#define APSP_QUERY_SWEPT_SHORT_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "query/swept_short.hpp"
#include "semiring/min_plus.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::query::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// table[place] where `chosen`, zero elsewhere; half of the places, `kPart` 0 or 1.
///
/// AVX-512's gather keeps lanes that it does not load. With all lanes chosen, compilers leave open
/// which register they come from, and it waits for whoever wrote that one last.
#if HWY_TARGET == HWY_AVX3
template <int kPart, class D64, class V32, class M32>
HWY_INLINE hn::Vec<D64> gather(D64, const std::uint64_t* table, V32 places, M32 chosen) {
  const auto mask = static_cast<__mmask8>(chosen.raw >> (8 * kPart));
  const __m256i half = _mm512_extracti64x4_epi64(places.raw, kPart);
  return hn::Vec<D64>{_mm512_mask_i32gather_epi64(_mm512_setzero_si512(), mask, half, table, 8)};
}
#endif

template <bool kBothWays>
class ShortSweep {
 public:
  static ShortRow run(const std::uint16_t* values, std::int64_t cols, Vertex vertex,
                      const ShortLanes& lanes, const ShortTables& tables) {
    ShortSweep sweep(vertex, lanes, tables);
    const auto* const signed_values = reinterpret_cast<const std::int16_t*>(values);
    for (std::int64_t first = 0; first < cols; first += kShortTogether) {
      const std::int64_t end = std::min(first + kShortTogether, cols);
      for (std::int64_t j = first; j < end; j += kLanes) sweep.take(signed_values + j, j);
      sweep.hand_on_reciprocals();
    }
    return sweep.result(cols);
  }

 private:
  // Signed: distances have 15 bits, and instruction sets compare signed numbers.
  using D16 = hn::ScalableTag<std::int16_t>;
  using D32 = hn::ScalableTag<std::int32_t>;
  using D64 = hn::ScalableTag<std::int64_t>;
  using DF = hn::ScalableTag<float>;
  using V16 = hn::Vec<D16>;
  using V32 = hn::Vec<D32>;
  using V64 = hn::Vec<D64>;
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
        digits_(hn::Zero(D64())),
        rough_(hn::Zero(DF())) {}

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
    const auto path = hn::Lt(value, hn::Set(d32, kNone));
    const V32 distance = hn::IfThenElseZero(path, value);
    sum_ = hn::Add(sum_, distance);
    if constexpr (kBothWays) {
      auto* const to = reinterpret_cast<std::int32_t*>(lanes_.sum) + j;
      hn::Store(hn::Add(hn::Load(d32, to), distance), d32, to);
    }
    add_rough(distance, j);
#if HWY_TARGET == HWY_AVX3
    add_digits(gather<0>(D64(), tables_.reciprocals, distance, path), j);
    add_digits(gather<1>(D64(), tables_.reciprocals, distance, path), j + kLanes64);
#else
    HWY_ALIGN std::int32_t places[hn::MaxLanes(D32())];
    hn::Store(distance, d32, places);
    const hn::Rebind<std::int32_t, D64> half;
    const auto* const table = reinterpret_cast<const std::int64_t*>(tables_.reciprocals);
    for (std::int64_t i = 0; i < kLanes32; i += kLanes64) {
      const auto place = hn::PromoteTo(D64(), hn::Load(half, places + i));
      add_digits(hn::GatherIndex(D64(), table, place), j + i);
    }
#endif
  }

  HWY_INLINE void add_digits(V64 digits, std::int64_t j) {
    digits_ = hn::Add(digits_, digits);
    if constexpr (kBothWays) {
      auto* const to = reinterpret_cast<std::int64_t*>(lanes_.digits) + j;
      hn::Store(hn::Add(hn::Load(D64(), to), digits), D64(), to);
    }
  }

  /// To 12 binary digits or more.
  HWY_INLINE void add_rough(V32 distance, std::int64_t j) {
    const DF df;
    const VF x = hn::ConvertTo(df, distance);
#if HWY_TARGET == HWY_AVX3
    const VF rough = hn::ApproximateReciprocal(x);
#else
    const VF rough = hn::Div(hn::Set(df, 1.0f), x);
#endif
    const VF added = hn::IfThenElseZero(hn::Gt(x, hn::Zero(df)), rough);
    rough_ = hn::Add(rough_, added);
    if constexpr (kBothWays) {
      hn::Store(hn::Add(hn::Load(df, lanes_.rough + j), added), df, lanes_.rough + j);
    }
  }

  HWY_INLINE void hand_on_reciprocals() {
    HWY_ALIGN std::int64_t digits[hn::MaxLanes(D64())];
    HWY_ALIGN float rough[hn::MaxLanes(DF())];
    hn::Store(digits_, D64(), digits);
    hn::Store(rough_, DF(), rough);
    std::uint64_t all_digits = 0;
    float all_rough = 0;
    for (const std::int64_t part : digits) all_digits += static_cast<std::uint64_t>(part);
    for (const float part : rough) all_rough += part;
    harmonic_.add(all_digits, all_rough);
    digits_ = hn::Zero(D64());
    rough_ = hn::Zero(DF());
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
    row.harmonic = harmonic_;
    return row;
  }

  // All of these rest in registers: no function that is not inlined is given this object.
  Vertex vertex_;
  ShortLanes lanes_;
  ShortTables tables_;
  V16 least_, greatest_;
  V32 sum_;
  V64 digits_;
  VF rough_;
  ReciprocalSum harmonic_;
  std::uint32_t missed_ = 0;
};

}  // namespace apsp::query::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // APSP_QUERY_SWEPT_SHORT_INL_H_
