// The inner loop of statistics over shortest paths in 16 bits: one row, which holds the distances
// of one vertex from all sources of a block, once through.
//
// A distance is one of 2^15, so its reciprocal comes from a table, and counts are incremented in
// place. What is added goes two ways from the same registers: across, to the vertex, and, where a
// pair counts for both directions, down, to the sources. Compiled for each instruction set.
#pragma once

#include <apsp/graph.hpp>
#include <array>
#include <cstdint>

namespace apsp::query {

constexpr std::int64_t kShortDistances = std::int64_t{1} << 15;  // values there are; the last: none
constexpr int kShortSlices = 3;                                  // of a reciprocal, at most
/// Tables of counts: neighbours are often equal, and an increment waits for the last one of the
/// same place.
constexpr int kShortTables = 4;

/// Totals of a block, a lane a source; all are aligned to 64 bytes.
struct ShortLanes {
  std::uint16_t* greatest = nullptr;             // [lanes]
  Vertex* farthest = nullptr;                    // [lanes] the smallest vertex at that distance
  std::uint32_t* sum = nullptr;                  // [lanes]
  std::uint32_t* missed = nullptr;               // [lanes] vertices without a path
  std::array<double*, kShortSlices> harmonic{};  // [lanes] each, a slice of column_sums.hpp
};

struct ShortTables {
  const double* reciprocals = nullptr;              // [kShortDistances] of zero and none: 0
  std::array<double, kShortSlices> round{};         // the slices' constants
  std::array<std::uint32_t*, kShortTables> counts;  // [kShortDistances] each
};

/// Of a row; where no source reaches the vertex only `reached` says something.
struct ShortRow {
  std::uint16_t least = 0;
  std::uint16_t greatest = 0;
  std::uint32_t reached = 0;
  std::uint64_t sum = 0;
  std::array<double, kShortSlices> harmonic{};
};

/// `values`: [cols], 64-byte aligned; `cols`: a multiple of 32. `vertex`: whose row it is.
using SweepShort = ShortRow (*)(const std::uint16_t* values, std::int64_t cols, Vertex vertex,
                                const ShortLanes& lanes, const ShortTables& tables);

/// `slices`: 2 or 3. Without `both_ways` only `greatest` and `farthest` of the lanes are touched.
SweepShort sweep_short(int slices, bool both_ways);

}  // namespace apsp::query
