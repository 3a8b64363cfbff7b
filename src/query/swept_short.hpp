// The inner loop of statistics over shortest paths in 16 bits: one row, which holds the distances
// of one vertex from all sources of a block, once through.
//
// A distance is one of 2^15, so its reciprocal comes from a table, and counts are incremented in
// place. Reciprocals are added exactly, as column_sums.hpp adds them, but in whole numbers: see
// `ReciprocalSum`. What is added goes two ways from the same registers: across, to the vertex, and,
// where a pair counts for both directions, down, to the sources. Compiled for each instruction set.
#pragma once

#include <apsp/graph.hpp>
#include <array>
#include <cstdint>

namespace apsp::query {

constexpr std::int64_t kShortDistances = std::int64_t{1} << 15;  // values there are; the last: none
/// Reciprocals, at most, of which a sum of digits and a rough one are handed on together.
constexpr std::int64_t kShortTogether = 512;
/// Tables of counts: neighbours are often equal, and an increment waits for the last one of the
/// same place.
constexpr int kShortTables = 4;

/// An exact sum of reciprocals of distances, each first rounded to a double.
///
/// Distances below 2^15 have reciprocals that are whole multiples of 2^-67. Sums of them are kept
/// modulo 2^64 of these units, 1/8, in vectors; a rough sum beside tells which multiple of 1/8 was
/// lost. Of up to 512 reciprocals it is off by less than 1/16: 2^-14 of each, which is what an
/// estimate of AVX-512 may be off, and what single precision rounds in 512 additions, 2^-7.
struct ReciprocalSum {
  static constexpr std::uint64_t digits_of(double reciprocal) {
    const auto eighths = static_cast<std::uint64_t>(reciprocal * 8);
    const double rest = reciprocal - static_cast<double>(eighths) / 8;
    return static_cast<std::uint64_t>(rest * 0x1p67);
  }

  void add(std::uint64_t more, float rough) {
    const double lost = static_cast<double>(rough) * 8 - static_cast<double>(more) * 0x1p-64;
    add({more, static_cast<std::int64_t>(lost + 0.5)});
  }
  void add(const ReciprocalSum& other) {
    digits += other.digits;
    eighths += other.eighths + (digits < other.digits ? 1 : 0);
  }

  /// The sum is high + low: multiples of 2^-20, and what is left. Neither rounds, nor do sums of
  /// them over 64 threads.
  double high() const {
    return static_cast<double>(eighths * (std::int64_t{1} << kHigh) +
                               static_cast<std::int64_t>(digits >> kLow)) *
           0x1p-20;
  }
  double low() const {
    return static_cast<double>(digits & ((std::uint64_t{1} << kLow) - 1)) * 0x1p-67;
  }
  static constexpr int kLow = 67 - 20, kHigh = 64 - kLow;

  std::uint64_t digits = 0;  // of 2^-67
  std::int64_t eighths = 0;
};

/// Totals of a block, a lane a source; all are aligned to 64 bytes.
struct ShortLanes {
  std::uint16_t* greatest = nullptr;  // [lanes]
  Vertex* farthest = nullptr;         // [lanes] the smallest vertex at that distance
  std::uint32_t* sum = nullptr;       // [lanes]
  std::uint32_t* missed = nullptr;    // [lanes] vertices without a path
  std::uint64_t* digits = nullptr;    // [lanes] of reciprocals
  float* rough = nullptr;             // [lanes] the same sum, roughly
};

struct ShortTables {
  const std::uint64_t* reciprocals = nullptr;       // [kShortDistances] digits; of zero and none: 0
  std::array<std::uint32_t*, kShortTables> counts;  // [kShortDistances] each
};

/// Of a row; where no source reaches the vertex only `reached` says something.
struct ShortRow {
  std::uint16_t least = 0;
  std::uint16_t greatest = 0;
  std::uint32_t reached = 0;
  std::uint64_t sum = 0;
  ReciprocalSum harmonic;
};

/// `values`: [cols], 64-byte aligned; `cols`: a multiple of 32. `vertex`: whose row it is.
using SweepShort = ShortRow (*)(const std::uint16_t* values, std::int64_t cols, Vertex vertex,
                                const ShortLanes& lanes, const ShortTables& tables);

/// Without `both_ways` only `greatest` and `farthest` of the lanes are touched; with them `digits`
/// and `rough` must be handed on after `kShortTogether` rows.
SweepShort sweep_short(bool both_ways);

}  // namespace apsp::query
