#include "statistics/lane_counts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "statistics/lane_counts.cpp"
#include "base/targets.hpp"
// base/targets.hpp chooses the instruction sets before this.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "statistics/histogram_bins.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::statistics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// 1 / x rounded to the nearest double, for x of up to `kDigits` binary digits.
///
/// AVX-512 estimates 14 digits. A step of third order makes them 42. The last step rounds once: 1 −
/// x·y is exact for x of up to 24 digits, so the rounded value is 1 / x to a relative 2^-84, and
/// 1 / x is 2^-78 away from any rounding boundary unless it is a double (Markstein 1990).
template <int kDigits, class V>
HWY_INLINE V reciprocal_of(V x) {
  const hn::DFromV<V> d;
  const V one = hn::Set(d, 1.0);
#if HWY_TARGET == HWY_AVX3
  if constexpr (kDigits <= 24) {
    const V y{_mm512_rcp14_pd(x.raw)};
    const V e = hn::NegMulAdd(x, y, one);
    const V better = hn::MulAdd(y, hn::MulAdd(e, e, e), y);
    return hn::MulAdd(better, hn::NegMulAdd(x, better, one), better);
  }
#endif
  return hn::Div(one, x);
}

template <class T, LaneDown kDown>
class LaneSweep {
 public:
  static LaneRow<T> run(const T* values, std::int64_t cols, Vertex vertex, const Lanes<T>& lanes,
                        const LaneCounts<T>& counts) {
    const S least = bits_of(counts.least), below = bits_of(counts.below);
    const Range all = range_of(values, cols);
    if (all.least >= least && all.greatest < below) {
      return sweep<false>(values, cols, vertex, lanes, counts, all);
    }
    const Range positive = positive_range(values, cols);
    const bool other =
        positive.greatest > 0 && (positive.least < least || positive.greatest >= below);
    if (all.least < 0 || all.greatest > kNone || other) {
      return {false, 0, value_of(positive.least), value_of(positive.greatest), {}, {}};
    }
    if (positive.greatest < 0) return {true, 0, {}, {}, {}, {}};
    return sweep<true>(values, cols, vertex, lanes, counts, {all.least, positive.greatest});
  }

 private:
  static constexpr bool kBothWays = kDown == LaneDown::all;
  static constexpr bool kReal = kIsReal<T>;
  using S = BitsOf<T>;
  using D = hn::ScalableTag<S>;
  using D32 = hn::ScalableTag<std::int32_t>;
  using D64 = hn::ScalableTag<double>;
  static constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr auto kLanes32 = static_cast<std::int64_t>(hn::MaxLanes(D32()));
  static constexpr auto kLanes64 = static_cast<std::int64_t>(hn::MaxLanes(D64()));
  static constexpr T kNoPath = semiring::MinPlus<T>::zero();
  static constexpr S kNone = std::bit_cast<S>(kNoPath);

  static S bits_of(T value) { return std::bit_cast<S>(value); }
  static T value_of(S bits) { return std::bit_cast<T>(bits); }

  struct Range {
    S least, greatest;
  };

  /// Sums across a row. They stay in registers if only inlined functions receive them.
  struct Across {
    Across()
        : whole(hn::Zero(D32())),
          sum_high(hn::Zero(D64())),
          sum_low(hn::Zero(D64())),
          high(hn::Zero(D64())),
          low(hn::Zero(D64())) {}
    hn::Vec<D32> whole;
    hn::Vec<D64> sum_high, sum_low, high, low;
  };

  static HWY_INLINE hn::Vec<D> load(const T* values) {
    return hn::BitCast(D(), hn::LoadU(hn::ScalableTag<T>(), values));
  }

  static HWY_INLINE Range range_of(const T* values, std::int64_t cols) {
    const D d;
    auto least = load(values), greatest = least;
    for (std::int64_t j = kLanes; j < cols; j += kLanes) {
      const auto value = load(values + j);
      least = hn::Min(least, value);
      greatest = hn::Max(greatest, value);
    }
    return {hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, greatest))};
  }

  /// The least distance above 0, and the greatest one; −1 if there is none.
  HWY_NOINLINE static Range positive_range(const T* values, std::int64_t cols) {
    const D d;
    auto least = hn::Set(d, kNone), greatest = hn::Set(d, S{-1});
    for (std::int64_t j = 0; j < cols; j += kLanes) {
      const auto value = load(values + j);
      const auto path = hn::Lt(value, hn::Set(d, kNone));
      greatest = hn::Max(greatest, hn::IfThenElse(path, value, hn::Set(d, S{-1})));
      const auto positive = hn::Gt(value, hn::Zero(d));
      least = hn::Min(least, hn::IfThenElse(positive, value, hn::Set(d, kNone)));
    }
    return {hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, greatest))};
  }

  /// `kMasked`: some values have no path or are zero.
  template <bool kMasked>
  HWY_NOINLINE static LaneRow<T> sweep(const T* values, std::int64_t cols, Vertex vertex,
                                       const Lanes<T>& lanes_given,
                                       const LaneCounts<T>& counts_given, Range range) {
    const Lanes<T> lanes = lanes_given;  // copies, since stores might alias the originals
    const LaneCounts<T> counts = counts_given;
    const D d;
    Across across;
    std::uint32_t missed = 0;
    auto* const greatest = reinterpret_cast<S*>(lanes.greatest);
    for (std::int64_t j = 0; j < cols; j += kLanes) {
      const auto value = load(values + j);
      auto distance = value;
      if constexpr (kMasked) {
        const auto path = hn::Lt(value, hn::Set(d, kNone));
        distance = hn::IfThenElse(path, value, hn::Set(d, S{-1}));
        if (!hn::AllTrue(d, path)) {
          missed += static_cast<std::uint32_t>(hn::CountTrue(d, hn::Not(path)));
          if constexpr (kBothWays) {
            const auto one = hn::VecFromMask(d, hn::Not(path));  // −1
            hn::Store(hn::Sub(hn::Load(d, lanes.missed + j), one), d, lanes.missed + j);
          }
        }
      }
      if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Lt(distance, hn::Load(d, greatest + j))))) {
        raise(values + j, vertex, greatest + j, lanes.farthest + j);
      }
      if constexpr (!kReal) {
        for (std::int64_t i = 0; i < kLanes; i += kLanes32) {
          add_whole<kMasked>(values + j + i, lanes, j + i, across);
        }
      }
      for (std::int64_t i = 0; i < kLanes; i += kLanes64) {
        add_doubles<kMasked>(values + j + i, lanes, j + i, counts, across);
      }
      count<kMasked>(values + j, value, counts);
    }
    return result(across, static_cast<std::uint32_t>(cols) - missed, range);
  }

  template <bool kMasked>
  static HWY_INLINE void add_whole(const T* values, const Lanes<T>& lanes, std::int64_t j,
                                   Across& across) {
    const D32 d32;
    auto distance = whole(reinterpret_cast<const S*>(values));
    if constexpr (kMasked) {
      distance = hn::IfThenElseZero(
          hn::Lt(distance, hn::Set(d32, static_cast<std::int32_t>(kNoPath))), distance);
    }
    across.whole = hn::Add(across.whole, distance);
    if constexpr (kDown != LaneDown::nothing) {
      auto* const to = reinterpret_cast<std::int32_t*>(lanes.sum) + j;
      hn::Store(hn::Add(hn::Load(d32, to), distance), d32, to);
    }
  }

  static HWY_INLINE hn::Vec<D32> whole(const S* values) {
    if constexpr (sizeof(T) == 4) {
      return hn::LoadU(D32(), values);
    } else {
      return hn::PromoteTo(D32(), hn::LoadU(hn::Rebind<S, D32>(), values));
    }
  }

  static HWY_INLINE hn::Vec<D64> doubles(const T* values) {
    const D64 d64;
    const hn::Rebind<std::int32_t, D64> half;
    if constexpr (sizeof(T) == 8) {
      return hn::LoadU(d64, values);
    } else if constexpr (sizeof(T) == 4) {
      return hn::PromoteTo(d64, hn::LoadU(hn::Rebind<T, D64>(), values));
    } else {
      const auto* const bits = reinterpret_cast<const S*>(values);
      return hn::PromoteTo(d64, hn::PromoteTo(half, hn::LoadU(hn::Rebind<S, D64>(), bits)));
    }
  }

  template <bool kMasked>
  static HWY_INLINE void add_doubles(const T* values, const Lanes<T>& lanes, std::int64_t j,
                                     const LaneCounts<T>& counts, Across& across) {
    const D64 d64;
    const auto x = doubles(values);
    auto reciprocal = reciprocal_of < kReal ? std::numeric_limits<T>::digits : 24 > (x);
    if constexpr (kMasked) {
      const auto path = hn::Lt(x, hn::Set(d64, static_cast<double>(kNoPath)));
      reciprocal = hn::IfThenElseZero(hn::And(hn::Gt(x, hn::Zero(d64)), path), reciprocal);
      if constexpr (kReal) {
        add_parts<kDown != LaneDown::nothing>(hn::IfThenElseZero(path, x), counts.sum.round,
                                              across.sum_high, across.sum_low, lanes.sum_high + j,
                                              lanes.sum_low + j);
      }
    } else if constexpr (kReal) {
      add_parts<kDown != LaneDown::nothing>(x, counts.sum.round, across.sum_high, across.sum_low,
                                            lanes.sum_high + j, lanes.sum_low + j);
    }
    add_parts<kBothWays>(reciprocal, counts.reciprocals.round, across.high, across.low,
                         lanes.high + j, lanes.low + j);
  }

  template <bool kToLanes>
  static HWY_INLINE void add_parts(hn::Vec<D64> x, double rounding, hn::Vec<D64>& high_across,
                                   hn::Vec<D64>& low_across, double* high_lanes,
                                   double* low_lanes) {
    const D64 d64;
    const auto round = hn::Set(d64, rounding);
    const auto high = hn::Sub(hn::Add(x, round), round);
    const auto low = hn::Sub(x, high);
    high_across = hn::Add(high_across, high);
    low_across = hn::Add(low_across, low);
    if constexpr (kToLanes) {
      hn::Store(hn::Add(hn::Load(d64, high_lanes), high), d64, high_lanes);
      hn::Store(hn::Add(hn::Load(d64, low_lanes), low), d64, low_lanes);
    }
  }

  template <bool kMasked>
  static HWY_INLINE void count(const T* values, hn::Vec<D> value, const LaneCounts<T>& counts) {
    if constexpr (kReal) {
      HWY_ALIGN std::int32_t bins[hn::MaxLanes(D())];
      const auto all = bins_of<kMasked>(value, counts.limit);
      if constexpr (sizeof(T) == 8) {
        const hn::RebindToUnsigned<D> wide;
        const hn::Rebind<std::uint32_t, D> narrow;
        hn::Store(hn::TruncateTo(narrow, hn::BitCast(wide, all)), narrow,
                  reinterpret_cast<std::uint32_t*>(bins));
      } else {
        hn::Store(all, D(), bins);
      }
      increment(bins, counts);
    } else if constexpr (kMasked) {
      const D d;
      HWY_ALIGN S bins[hn::MaxLanes(D())];
      hn::Store(hn::Min(value, hn::Set(d, static_cast<S>(counts.limit))), d, bins);
      increment(bins, counts);
    } else {
      increment(reinterpret_cast<const S*>(values), counts);
    }
  }

  /// See `HistogramBins`. Values without a path have a bin that no distance has.
  template <bool kMasked>
  static HWY_INLINE hn::Vec<D> bins_of(hn::Vec<D> value, std::int32_t limit) {
    const D d;
    const hn::ScalableTag<T> real;
    constexpr int kTrailing = std::numeric_limits<T>::digits - 1 - HistogramBins::kMantissaBits;
    auto bin =
        hn::BitCast(d, hn::ShiftRight<kTrailing>(hn::BitCast(hn::RebindToUnsigned<D>(), value)));
    if constexpr (sizeof(T) == 8) bin = hn::Sub(bin, hn::Set(d, HistogramBins::kBelow));
    if constexpr (sizeof(T) == 8 && kMasked) {
      bin = hn::Min(hn::Max(bin, hn::Zero(d)), hn::Set(d, HistogramBins::kCoarse - 1));
    }
    if (limit == 0) return bin;
    const auto x = hn::BitCast(real, value);
    const auto integer = hn::Lt(x, hn::Set(real, static_cast<T>(limit)));
    return hn::IfThenElse(hn::RebindMask(d, integer), hn::ConvertTo(d, x),
                          hn::Add(bin, hn::Set(d, S{limit})));
  }

  template <class Bin>
  static HWY_INLINE void increment(const Bin* bins, const LaneCounts<T>& counts) {
    constexpr std::int64_t kTogether = 8 / sizeof(Bin);
    if constexpr (kLanes < kTogether) {
      for (std::int64_t i = 0; i < kLanes; ++i) ++counts.tables[0][bins[i]];
      return;
    }
    for (std::int64_t i = 0; i < kLanes; i += kTogether) {
      std::uint64_t some = 0;
      std::memcpy(&some, bins + i, sizeof(some));
      if constexpr (sizeof(Bin) == 2) {
        ++counts.tables[0][some & 0xFFFF];
        ++counts.tables[1][(some >> 16) & 0xFFFF];
        ++counts.tables[2][(some >> 32) & 0xFFFF];
        ++counts.tables[3][some >> 48];
      } else {
        ++counts.tables[static_cast<std::size_t>(i % 4)][some & 0xFFFFFFFF];
        ++counts.tables[static_cast<std::size_t>(i % 4 + 1)][some >> 32];
      }
    }
  }

  HWY_NOINLINE static void raise(const T* values, Vertex vertex, S* greatest, Vertex* farthest) {
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const S value = bits_of(values[i]);
      const bool equal = (value == greatest[i]) & (vertex < farthest[i]);
      const bool raised = (value != kNone) & ((value > greatest[i]) | equal);
      greatest[i] = raised ? value : greatest[i];
      farthest[i] = raised ? vertex : farthest[i];
    }
  }

  static HWY_INLINE Parts parts(hn::Vec<D64> high, hn::Vec<D64> low) {
    return {hn::GetLane(hn::SumOfLanes(D64(), high)), hn::GetLane(hn::SumOfLanes(D64(), low))};
  }

  static HWY_INLINE LaneRow<T> result(const Across& across, std::uint32_t reached, Range range) {
    LaneRow<T> row;
    row.taken = true;
    row.reached = reached;
    row.least = value_of(range.least);
    row.greatest = value_of(range.greatest);
    if constexpr (kReal) {
      row.sum = parts(across.sum_high, across.sum_low);
    } else {
      HWY_ALIGN std::int32_t sums[hn::MaxLanes(D32())];
      hn::Store(across.whole, D32(), sums);
      for (const std::int32_t sum : sums) row.sum += static_cast<std::uint32_t>(sum);
    }
    row.reciprocals = parts(across.high, across.low);
    return row;
  }
};

template <class T>
CountLanes<T> lanes_of(LaneDown down) {
  switch (down) {
    case LaneDown::nothing:
      return &LaneSweep<T, LaneDown::nothing>::run;
    case LaneDown::sums:
      return &LaneSweep<T, LaneDown::sums>::run;
    default:
      return &LaneSweep<T, LaneDown::all>::run;
  }
}

CountLanes<std::uint16_t> lanes_of_u16(LaneDown down) { return lanes_of<std::uint16_t>(down); }
CountLanes<std::int32_t> lanes_of_i32(LaneDown down) { return lanes_of<std::int32_t>(down); }
CountLanes<float> lanes_of_f32(LaneDown down) { return lanes_of<float>(down); }
CountLanes<double> lanes_of_f64(LaneDown down) { return lanes_of<double>(down); }

}  // namespace apsp::statistics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::statistics {

HWY_EXPORT(lanes_of_u16);
HWY_EXPORT(lanes_of_i32);
HWY_EXPORT(lanes_of_f32);
HWY_EXPORT(lanes_of_f64);

template <>
CountLanes<std::uint16_t> count_lanes(LaneDown down) {
  return HWY_DYNAMIC_DISPATCH(lanes_of_u16)(down);
}
template <>
CountLanes<std::int32_t> count_lanes(LaneDown down) {
  return HWY_DYNAMIC_DISPATCH(lanes_of_i32)(down);
}
template <>
CountLanes<float> count_lanes(LaneDown down) {
  return HWY_DYNAMIC_DISPATCH(lanes_of_f32)(down);
}
template <>
CountLanes<double> count_lanes(LaneDown down) {
  return HWY_DYNAMIC_DISPATCH(lanes_of_f64)(down);
}

}  // namespace apsp::statistics
#endif
