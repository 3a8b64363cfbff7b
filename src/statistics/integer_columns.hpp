// The inner loop of statistics for shortest paths in integers. A row has the distances of one
// vertex from all sources of a block, one source a lane. Values are added across, to the vertex,
// and, if a pair counts for both directions, down, to the sources. Reciprocals are rounded to
// doubles and split in two parts (column_sums.hpp) whose sums are exact.
#pragma once

#include <apsp/graph.hpp>
#include <array>
#include <cstdint>

#include "semiring/semirings.hpp"

namespace apsp::statistics {

constexpr std::int64_t kWholeLimit = std::int64_t{1} << 21;
/// Rows after which lanes are emptied, so that sums of distances fit in 32 bits.
constexpr std::int64_t kWholeTogether = 1 << 10;
/// Lanes at most, so that the low parts of reciprocals add up exactly.
constexpr std::int64_t kWholeColumns = 1 << 12;
/// Several tables of counts avoid waiting for the last increment of an equal distance.
constexpr int kWholeTables = 4;

/// Exact, in multiples of 2^-73. Requires: reciprocals of distances up to `kWholeLimit`, each
/// rounded to a double.
struct ReciprocalSum {
  static constexpr int kHighDigits = 32, kLowDigits = 73, kBetween = kLowDigits - kHighDigits;
  /// (x + round) − round is x to the nearest multiple of 2^-32, for x up to 1.
  static constexpr double kRound = 0x1.8p20;

  /// Adds sums of up to 2^12 high and low parts.
  void add(double highs, double lows) {
    high += static_cast<std::int64_t>(highs * 0x1p32);
    low += static_cast<std::int64_t>(lows * 0x1p73);
    carry();
  }
  void add(const ReciprocalSum& other) {
    high += other.high;
    low += other.low;
    carry();
  }

  /// The sum is upper() + lower(), both exact for up to 2^27 reciprocals, even over 64 threads.
  double upper() const { return static_cast<double>(high >> kShared) * 0x1p-26; }
  double lower() const {
    const std::int64_t shared = high & ((std::int64_t{1} << kShared) - 1);
    return static_cast<double>(shared * (std::int64_t{1} << kBetween) + low) * 0x1p-73;
  }

  std::int64_t high = 0;  // in 2^-32
  std::int64_t low = 0;   // in 2^-73

 private:
  static constexpr int kShared = kHighDigits - 26;

  void carry() {
    high += low >> kBetween;
    low &= (std::int64_t{1} << kBetween) - 1;
  }
};

/// Totals of a block, [lanes] each, aligned to 64 bytes.
template <class T>
struct WholeLanes {
  double* high = nullptr;  // of reciprocals
  double* low = nullptr;
  Vertex* farthest = nullptr;  // smallest vertex at that distance
  std::uint32_t* sum = nullptr;
  std::uint32_t* missed = nullptr;  // vertices without a path
  T* greatest = nullptr;
};

/// The last counter is for no path.
struct WholeCounts {
  std::int32_t limit = 0;
  std::array<std::uint32_t*, kWholeTables> tables{};  // [limit + 1] each
};

/// If `reached` is 0, the members after it are undefined.
struct WholeRow {
  bool taken = false;  // false: other distances occur, and nothing was counted
  std::uint32_t reached = 0;
  std::int32_t least = 0, greatest = 0;
  std::uint64_t sum = 0;
  ReciprocalSum harmonic;
};

/// `values`: [cols], the row of `vertex`, aligned to 64 bytes; `cols` is a multiple of 64 bytes, up
/// to `kWholeColumns`.
template <class T>
using SweepWhole = WholeRow (*)(const T* values, std::int64_t cols, Vertex vertex,
                                const WholeLanes<T>& lanes, const WholeCounts& counts);

/// The sums that are added down in addition to `greatest` and `farthest`. They must be passed on
/// after `kWholeTogether` rows, before 32 bits overflow.
enum class WholeDown { nothing, sums, all };

SweepWhole<std::uint16_t> sweep_whole_u16(WholeDown down);
SweepWhole<std::int32_t> sweep_whole_i32(WholeDown down);

}  // namespace apsp::statistics
