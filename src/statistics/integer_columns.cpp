#include "statistics/integer_columns.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "statistics/integer_columns.cpp"
#include "base/targets.hpp"
// base/targets.hpp chooses the instruction sets before this.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace apsp::statistics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// 1 / x rounded to the nearest double, for integers x from 1 to 2^21.
///
/// AVX-512 estimates 14 digits. A step of third order makes them 42. The last step rounds once: 1 −
/// x·y is exact, so the rounded value is 1 / x to a relative 2^-84, and 1 / x is 2^-75 away from
/// any rounding boundary unless it is a double (Markstein 1990).
template <class V>
HWY_INLINE V reciprocal_of_whole(V x) {
  const hn::DFromV<V> d;
  const V one = hn::Set(d, 1.0);
#if HWY_TARGET == HWY_AVX3
  const V y{_mm512_rcp14_pd(x.raw)};
  const V e = hn::NegMulAdd(x, y, one);
  const V better = hn::MulAdd(y, hn::MulAdd(e, e, e), y);
  return hn::MulAdd(better, hn::NegMulAdd(x, better, one), better);
#else
  return hn::Div(one, x);
#endif
}

template <class T, WholeDown kDown>
class WholeSweep {
 public:
  static WholeRow run(const T* values, std::int64_t cols, Vertex vertex, const WholeLanes<T>& lanes,
                      const WholeCounts& counts) {
    const auto* const distances = reinterpret_cast<const S*>(values);
    const Range range = range_of(distances, cols);
    if (range.least > 0 && range.greatest < counts.limit) {
      return sweep<false>(distances, cols, vertex, lanes, counts, range);
    }
    const Range reached = {range.least, greatest_reached(distances, cols)};
    if (reached.least < 0 || reached.greatest >= counts.limit) return {};
    return sweep<true>(distances, cols, vertex, lanes, counts, reached);
  }

 private:
  static constexpr bool kBothWays = kDown == WholeDown::all;
  using S = std::make_signed_t<T>;  // u16 distances have 15 bits; SIMD compares signed values
  using D = hn::ScalableTag<S>;
  using D32 = hn::ScalableTag<std::int32_t>;
  using D64 = hn::ScalableTag<double>;
  static constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr auto kLanes32 = static_cast<std::int64_t>(hn::MaxLanes(D32()));
  static constexpr auto kLanes64 = static_cast<std::int64_t>(hn::MaxLanes(D64()));
  static constexpr S kNone = static_cast<S>(semiring::MinPlus<T>::zero());

  struct Range {
    std::int32_t least, greatest;
  };

  /// Sums across a row. They stay in registers if only inlined functions receive them.
  struct Across {
    Across() : sum(hn::Zero(D32())), high(hn::Zero(D64())), low(hn::Zero(D64())) {}
    hn::Vec<D32> sum;
    hn::Vec<D64> high, low;
  };

  static HWY_INLINE Range range_of(const S* values, std::int64_t cols) {
    const D d;
    auto least = hn::Load(d, values), greatest = least;
    for (std::int64_t j = kLanes; j < cols; j += kLanes) {
      const auto value = hn::Load(d, values + j);
      least = hn::Min(least, value);
      greatest = hn::Max(greatest, value);
    }
    return {hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, greatest))};
  }

  /// Returns −1 if there is none.
  HWY_NOINLINE static std::int32_t greatest_reached(const S* values, std::int64_t cols) {
    const D d;
    auto greatest = hn::Set(d, -1);
    for (std::int64_t j = 0; j < cols; j += kLanes) {
      const auto value = hn::Load(d, values + j);
      const auto path = hn::Lt(value, hn::Set(d, kNone));
      greatest = hn::Max(greatest, hn::IfThenElse(path, value, hn::Set(d, -1)));
    }
    return hn::GetLane(hn::MaxOfLanes(d, greatest));
  }

  /// `kMasked`: some values have no path or are zero.
  template <bool kMasked>
  HWY_NOINLINE static WholeRow sweep(const S* values, std::int64_t cols, Vertex vertex,
                                     const WholeLanes<T>& lanes_given,
                                     const WholeCounts& counts_given, Range range) {
    const WholeLanes<T> lanes = lanes_given;  // copies, since stores might alias the originals
    const WholeCounts counts = counts_given;
    const D d;
    Across across;
    std::uint32_t missed = 0;
    auto* const greatest = reinterpret_cast<S*>(lanes.greatest);
    HWY_ALIGN S places[hn::MaxLanes(D())];
    for (std::int64_t j = 0; j < cols; j += kLanes) {
      const auto value = hn::Load(d, values + j);
      auto distance = value;
      const S* counted = values + j;
      if constexpr (kMasked) {
        const auto path = hn::Lt(value, hn::Set(d, kNone));
        distance = hn::IfThenElse(path, value, hn::Set(d, -1));
        if (!hn::AllTrue(d, path)) {
          missed += note_missed(values + j, lanes.missed + j);
          hn::Store(hn::Min(value, hn::Set(d, static_cast<S>(counts.limit))), d, places);
          counted = places;
        }
      }
      if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Lt(distance, hn::Load(d, greatest + j))))) {
        raise(values + j, vertex, greatest + j, lanes.farthest + j);
      }
      for (std::int64_t i = 0; i < kLanes; i += kLanes32) {
        add_sum<kMasked>(values + j + i, lanes, j + i, across);
      }
      for (std::int64_t i = 0; i < kLanes; i += kLanes64) {
        add_reciprocals<kMasked>(values + j + i, lanes, j + i, across);
      }
      count(counted, counts);
    }
    return result(across, static_cast<std::uint32_t>(cols) - missed, range);
  }

  template <bool kMasked>
  static HWY_INLINE void add_sum(const S* values, const WholeLanes<T>& lanes, std::int64_t j,
                                 Across& across) {
    const D32 d32;
    auto distance = whole(values);
    if constexpr (kMasked) {
      distance = hn::IfThenElseZero(hn::Lt(distance, hn::Set(d32, kNone)), distance);
    }
    across.sum = hn::Add(across.sum, distance);
    if constexpr (kDown != WholeDown::nothing) {
      auto* const to = reinterpret_cast<std::int32_t*>(lanes.sum) + j;
      hn::Store(hn::Add(hn::Load(d32, to), distance), d32, to);
    }
  }

  static HWY_INLINE hn::Vec<D32> whole(const S* values) {
    if constexpr (sizeof(T) == 4) {
      return hn::Load(D32(), values);
    } else {
      return hn::PromoteTo(D32(), hn::Load(hn::Rebind<S, D32>(), values));
    }
  }

  template <bool kMasked>
  static HWY_INLINE void add_reciprocals(const S* values, const WholeLanes<T>& lanes,
                                         std::int64_t j, Across& across) {
    const D64 d64;
    const hn::Rebind<std::int32_t, D64> half;
    hn::Vec<D64> x;
    if constexpr (sizeof(T) == 4) {
      x = hn::PromoteTo(d64, hn::Load(half, values));
    } else {
      x = hn::PromoteTo(d64, hn::PromoteTo(half, hn::Load(hn::Rebind<S, D64>(), values)));
    }
    auto reciprocal = reciprocal_of_whole(x);
    if constexpr (kMasked) {
      const auto counts = hn::And(hn::Gt(x, hn::Zero(d64)), hn::Lt(x, hn::Set(d64, kNone)));
      reciprocal = hn::IfThenElseZero(counts, reciprocal);
    }
    const auto round = hn::Set(d64, ReciprocalSum::kRound);
    const auto high = hn::Sub(hn::Add(reciprocal, round), round);
    const auto low = hn::Sub(reciprocal, high);
    across.high = hn::Add(across.high, high);
    across.low = hn::Add(across.low, low);
    if constexpr (kBothWays) {
      hn::Store(hn::Add(hn::Load(d64, lanes.high + j), high), d64, lanes.high + j);
      hn::Store(hn::Add(hn::Load(d64, lanes.low + j), low), d64, lanes.low + j);
    }
  }

  static HWY_INLINE void count(const S* values, const WholeCounts& counts) {
    constexpr std::int64_t kTogether = 8 / sizeof(T);
    if constexpr (kLanes < kTogether) {
      for (std::int64_t i = 0; i < kLanes; ++i) ++counts.tables[0][values[i]];
      return;
    }
    for (std::int64_t i = 0; i < kLanes; i += kTogether) {
      std::uint64_t some = 0;
      std::memcpy(&some, values + i, sizeof(some));
      if constexpr (sizeof(T) == 2) {
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

  HWY_NOINLINE static std::uint32_t note_missed(const S* values, std::uint32_t* lanes) {
    std::uint32_t all = 0;
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::uint32_t missed = values[i] == kNone ? 1 : 0;
      all += missed;
      if constexpr (kBothWays) lanes[i] += missed;
    }
    return all;
  }

  HWY_NOINLINE static void raise(const S* values, Vertex vertex, S* greatest, Vertex* farthest) {
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const S value = values[i];
      const bool equal = (value == greatest[i]) & (vertex < farthest[i]);
      const bool raised = (value != kNone) & ((value > greatest[i]) | equal);
      greatest[i] = raised ? value : greatest[i];
      farthest[i] = raised ? vertex : farthest[i];
    }
  }

  static HWY_INLINE WholeRow result(const Across& across, std::uint32_t reached, Range range) {
    WholeRow row;
    row.taken = true;
    row.reached = reached;
    row.least = range.least;
    row.greatest = range.greatest;
    HWY_ALIGN std::int32_t sums[hn::MaxLanes(D32())];
    hn::Store(across.sum, D32(), sums);
    for (const std::int32_t sum : sums) row.sum += static_cast<std::uint32_t>(sum);
    row.harmonic.add(hn::GetLane(hn::SumOfLanes(D64(), across.high)),
                     hn::GetLane(hn::SumOfLanes(D64(), across.low)));
    return row;
  }
};

template <class T>
SweepWhole<T> sweep_of(WholeDown down) {
  switch (down) {
    case WholeDown::nothing:
      return &WholeSweep<T, WholeDown::nothing>::run;
    case WholeDown::sums:
      return &WholeSweep<T, WholeDown::sums>::run;
    default:
      return &WholeSweep<T, WholeDown::all>::run;
  }
}

SweepWhole<std::uint16_t> sweep_u16(WholeDown down) { return sweep_of<std::uint16_t>(down); }
SweepWhole<std::int32_t> sweep_i32(WholeDown down) { return sweep_of<std::int32_t>(down); }

}  // namespace apsp::statistics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::statistics {

HWY_EXPORT(sweep_u16);
HWY_EXPORT(sweep_i32);

SweepWhole<std::uint16_t> sweep_whole_u16(WholeDown down) {
  return HWY_DYNAMIC_DISPATCH(sweep_u16)(down);
}
SweepWhole<std::int32_t> sweep_whole_i32(WholeDown down) {
  return HWY_DYNAMIC_DISPATCH(sweep_i32)(down);
}

}  // namespace apsp::statistics
#endif
