// The inner loop of statistics for shortest paths. A row has one distance a lane. A row of
// statistics by columns has the distances of one vertex from all sources of a block, one source a
// lane. Values are added across, to the vertex, and down, to the lanes.
//
// Every double that is added is split in two parts: a multiple of a coarse unit, and the remainder.
// Their sums have at most 53 binary digits, so they are exact in any order (FixedPoint).
#pragma once

#include <apsp/graph.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/distance_count.hpp"
#include "semiring/semirings.hpp"
#include "statistics/column_sums.hpp"

namespace apsp::statistics {

using kernels::ReciprocalSum;

template <class T>
inline constexpr bool kIsReal = std::is_floating_point_v<T>;
/// Rows after which lanes are emptied, so that their sums stay exact.
template <class T>
inline constexpr std::int64_t kRowsTogether = kIsReal<T> ? 1 << 8 : 1 << 10;
/// Lanes at most, so that sums across a row are exact.
template <class T>
inline constexpr std::int64_t kMostLanes = kIsReal<T> ? 1 << 8 : 1 << 12;
/// Several tables of counts avoid waiting for the last increment of an equal distance.
constexpr int kLaneTables = 4;

/// A sum of doubles ≥ 0 in two parts.
struct Parts {
  double high = 0, low = 0;
};

/// Doubles as integers of 128 bits. High parts are multiples of 2^(unit + kBetween), low parts are
/// multiples of 2^unit.
template <class T>
struct FixedPoint {
  static constexpr int kBetween = kIsReal<T> ? 45 : ReciprocalSum::kBetween;

  FixedPoint() = default;
  explicit FixedPoint(int unit_)
      : unit(unit_),
        round(std::ldexp(1.5, 52 + unit + kBetween)),
        high(std::ldexp(1.0, -unit - kBetween)),
        low(std::ldexp(1.0, -unit)) {}

  static Int128 units(std::uint64_t integers) { return integers; }
  Int128 units(const Parts& sum) const {
    return Int128{static_cast<std::int64_t>(sum.high * high)} * (std::int64_t{1} << kBetween) +
           static_cast<std::int64_t>(sum.low * low);
  }

  int unit = 0;
  double round = 0;  ///< (x + round) − round is the high part of x
  double high = 0, low = 0;
};

/// Distances ≥ 0 are in the order of their bits as signed integers; u16 distances have 15 bits.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 2, std::int16_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

/// Totals of a block, [lanes] each, aligned to 64 bytes.
template <class T>
struct Lanes {
  double* high = nullptr;      // of reciprocals
  double* low = nullptr;       // of reciprocals
  double* sum_high = nullptr;  // of real distances
  double* sum_low = nullptr;   // of real distances
  T* greatest = nullptr;
  BitsOf<T>* missed = nullptr;   // vertices without a path
  Vertex* farthest = nullptr;    // smallest vertex at that distance
  std::uint32_t* sum = nullptr;  // of integer distances
};

/// Bins are those of `HistogramBins`, from the bin of 0 on.
template <class T>
struct LaneCounts {
  T least = 0, below = 0;  ///< distances other than 0 that are counted: [least, below)
  std::int32_t limit = 0;  ///< integers below have a bin each; of integers, the bin of no path
  FixedPoint<T> sum{}, reciprocals{};
  std::array<std::uint32_t*, kLaneTables> tables{};
};

template <class T>
struct LaneRow {
  bool taken = false;         ///< false: other distances occur, and nothing was counted
  std::uint32_t reached = 0;  ///< 0: nothing was added, and the others are undefined
  /// Extremes of the distances; of those above 0 if the row was not taken.
  T least = 0, greatest = 0;
  std::conditional_t<kIsReal<T>, Parts, std::uint64_t> sum{};
  Parts reciprocals;
};

/// `values`: [cols]; `cols` is a multiple of 64 bytes. Sums across are exact up to `kMostLanes`.
template <class T>
using CountLanes = LaneRow<T> (*)(const T* values, std::int64_t cols, Vertex vertex,
                                  const Lanes<T>& lanes, const LaneCounts<T>& counts);

/// The sums that are added down in addition to `greatest` and `farthest`. They must be passed on
/// after `kRowsTogether` rows.
enum class LaneDown { nothing, sums, all };

/// For u16, i32, f32 and f64.
template <class T>
CountLanes<T> count_lanes(LaneDown down);

}  // namespace apsp::statistics
