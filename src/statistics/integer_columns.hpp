// The inner loop of statistics over shortest paths in whole numbers: one row, which holds the
// distances of one vertex from all sources of a block.
//
// Distances below a limit are counted in place. Reciprocals are rounded to doubles and cut in two,
// as column_sums.hpp cuts them; of few enough values neither part's sum rounds. What is added goes
// two ways from the same registers: across, to the vertex, and, where a pair counts for both
// directions, down, to the sources. Compiled for each instruction set.
#pragma once

#include <apsp/graph.hpp>
#include <array>
#include <cstdint>

#include "semiring/semirings.hpp"

namespace apsp::statistics {

/// Distances are counted up to here, at most.
constexpr std::int64_t kWholeLimit = std::int64_t{1} << 21;
/// Rows, at most, whose sums are passed on together: sums of distances stay in 32 bits.
constexpr std::int64_t kWholeTogether = 1 << 10;
/// Of a row, at most: what is left of reciprocals adds up without rounding.
constexpr std::int64_t kWholeColumns = 1 << 12;
/// Tables of counts: neighbours are often equal, and an increment waits for the last one of the
/// same place.
constexpr int kWholeTables = 4;

/// An exact sum of reciprocals of distances up to `kWholeLimit`, each first rounded to a double: a
/// whole multiple of 2^-73.
struct ReciprocalSum {
  static constexpr int kHighDigits = 32, kLowDigits = 73, kBetween = kLowDigits - kHighDigits;
  /// (x + round) − round is x to the nearest multiple of 2^-32, for x up to 1.
  static constexpr double kRound = 0x1.8p20;

  /// Sums of up to 2^12 parts: multiples of 2^-32, and what was left of each.
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

  /// The sum is both together. Neither rounds, nor do sums of them over 64 threads, for up to 2^27
  /// reciprocals.
  double upper() const { return static_cast<double>(high >> kShared) * 0x1p-26; }
  double lower() const {
    const std::int64_t shared = high & ((std::int64_t{1} << kShared) - 1);
    return static_cast<double>(shared * (std::int64_t{1} << kBetween) + low) * 0x1p-73;
  }

  std::int64_t high = 0;  // of 2^-32
  std::int64_t low = 0;   // of 2^-73, below 2^kBetween

 private:
  static constexpr int kShared = kHighDigits - 26;

  void carry() {
    high += low >> kBetween;
    low &= (std::int64_t{1} << kBetween) - 1;
  }
};

/// Totals of a block, a lane a source; all are aligned to 64 bytes.
template <class T>
struct WholeLanes {
  double* high = nullptr;           // [lanes] of reciprocals
  double* low = nullptr;            // [lanes]
  Vertex* farthest = nullptr;       // [lanes] the smallest vertex at that distance
  std::uint32_t* sum = nullptr;     // [lanes]
  std::uint32_t* missed = nullptr;  // [lanes] vertices without a path
  T* greatest = nullptr;            // [lanes]
};

/// Distances in [0, limit) have a place each; the last one is for no path.
struct WholeCounts {
  std::int32_t limit = 0;
  std::array<std::uint32_t*, kWholeTables> tables{};  // [limit + 1] each
};

/// Of a row; where no source reaches the vertex only `taken` and `reached` say something.
struct WholeRow {
  bool taken = false;  // false: the row holds other distances, and nothing was done
  std::uint32_t reached = 0;
  std::int32_t least = 0, greatest = 0;
  std::uint64_t sum = 0;
  ReciprocalSum harmonic;
};

/// `values`: [cols], 64-byte aligned; `cols`: whole 64 bytes, up to `kWholeColumns`. `vertex`:
/// whose row it is.
template <class T>
using SweepWhole = WholeRow (*)(const T* values, std::int64_t cols, Vertex vertex,
                                const WholeLanes<T>& lanes, const WholeCounts& counts);

/// What is added to the lanes beside `greatest` and `farthest`: it must be passed on after
/// `kWholeTogether` rows.
enum class WholeDown { nothing, sums, all };

SweepWhole<std::uint16_t> sweep_whole_u16(WholeDown down);
SweepWhole<std::int32_t> sweep_whole_i32(WholeDown down);

}  // namespace apsp::statistics
