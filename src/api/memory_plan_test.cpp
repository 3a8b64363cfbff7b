// The planner, which knows nothing of queries, counts their memory by a formula: it must not fall
// behind them.
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/memory.hpp"
#include "statistics/histogram_bins.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kVertices = 1000;
constexpr std::int64_t kLargePage = 2 << 20;

/// Bytes of counters, a thread, of which cells of negative values are touched only if there are
/// any.
std::int64_t touched(const statistics::HistogramBins& cells, bool negative) {
  const std::int64_t all = 8 * cells.count();
  return negative ? all : std::min(all, all - 8 * cells.of(0.0) + kLargePage);
}

TEST(MemoryPlan, CountsTheCountersOfStatistics) {
  for (const double bound : {0.0, 1.0, 1e4, 32767.0, 32768.0, 40000.5, 1e6, 2097150.0, 1e9}) {
    for (const bool integral : {false, true}) {
      for (const bool negative : {false, true}) {
        for (const int threads : {1, 2, 16}) {
          const std::int64_t planned = planner::statistics_bytes(
              kVertices, ValueType::f32, integral, negative, bound, threads);
          const std::int64_t counters =
              threads * touched(statistics::HistogramBins(integral, bound), negative);
          // Each thread: a count, the farthest vertex and a cache line. Two: slices of both sums.
          EXPECT_GE(planned, counters + (threads * 84 + 64) * kVertices)
              << bound << " " << integral;
          EXPECT_LE(planned, counters + (threads * 96 + 200) * kVertices)
              << bound << " " << integral;
        }
      }
    }
  }
}

TEST(MemoryPlan, CellsOfNegativeValuesComeFirst) {
  for (const bool integral : {false, true}) {
    const statistics::HistogramBins cells(integral, 1e6);
    EXPECT_LT(cells.of(-1), cells.of(0.0));
    EXPECT_LT(cells.of(-1e30), cells.of(0.0));
    EXPECT_GE(cells.of(-0.0), cells.of(0.0));
    EXPECT_GE(cells.of(1), cells.of(0.0));
    EXPECT_GT(cells.no_path(), cells.of(1e30));
  }
}

}  // namespace
}  // namespace apsp
