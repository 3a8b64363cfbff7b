// The planner, which knows nothing of queries, counts their memory by a formula: it must not fall
// behind them.
#include <gtest/gtest.h>

#include "planner/memory.hpp"
#include "query/value_cells.hpp"

namespace apsp {
namespace {

TEST(MemoryPlan, CountsTheCountersOfStatistics) {
  constexpr std::int64_t kVertices = 1000;
  for (const double bound : {0.0, 1.0, 1e4, 32767.0, 32768.0, 40000.5, 1e6, 2097150.0, 1e9}) {
    for (const bool integral : {false, true}) {
      for (const int threads : {1, 2, 16}) {
        const std::int64_t planned =
            planner::statistics_bytes(kVertices, ValueType::f32, integral, bound, threads);
        const std::int64_t counters = threads * 8 * query::ValueCells(integral, bound).count();
        // Each thread: a count and at least two slices a column of each sum.
        EXPECT_GE(planned, counters + (threads * 36 + 8) * kVertices) << bound << " " << integral;
        EXPECT_LE(planned, counters + (threads * 64 + 64) * kVertices) << bound << " " << integral;
      }
    }
  }
}

}  // namespace
}  // namespace apsp
