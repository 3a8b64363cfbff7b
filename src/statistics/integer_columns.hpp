// The inner loop of statistics for shortest paths in integers. A row has the distances of one
// vertex from all sources of a block, one source a lane. Values are added across, to the vertex,
// and, if a pair counts for both directions, down, to the sources. Reciprocals are rounded to
// doubles and split in two parts (column_sums.hpp) whose sums are exact.
#pragma once

#include <apsp/graph.hpp>
#include <array>
#include <cstdint>

#include "kernels/distance_count.hpp"
#include "semiring/semirings.hpp"

namespace apsp::statistics {

constexpr std::int64_t kWholeLimit = kernels::kCountLimit;
/// Rows after which lanes are emptied, so that sums of distances fit in 32 bits.
constexpr std::int64_t kWholeTogether = 1 << 10;
/// Lanes at most, so that the low parts of reciprocals add up exactly.
constexpr std::int64_t kWholeColumns = 1 << 12;
/// Several tables of counts avoid waiting for the last increment of an equal distance.
constexpr int kWholeTables = 4;

using kernels::ReciprocalSum;

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
