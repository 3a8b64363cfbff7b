// The study of block sizes measures what was asked for, and what the planner would take.
#include "program/block_sizes.hpp"

#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <set>

#include "support/error_of.hpp"
#include "support/invented_devices.hpp"

namespace apsp::bench {
namespace {

TEST(BlockSizes, EveryTileIsSolvedAndChecked) {
  const BlockSizeReport report =
      study_block_sizes({.tiles = {16, 48, 16, 4000}, .vertices = {100, 65}, .threads = 2});
  EXPECT_TRUE(report.correct);
  EXPECT_EQ(report.where, "2 threads");
  for (const std::int64_t n : {100, 65}) {
    std::set<std::int64_t> tiles;
    int chosen = 0;
    for (const BlockSizeRow& row : report.rows) {
      if (row.n != n) continue;
      EXPECT_TRUE(tiles.insert(row.tile).second) << row.tile << " twice";
      EXPECT_EQ(row.samples.size(), 9u);
      EXPECT_GT(rate(row), 0);
      EXPECT_LE(rate(row), best_rate(report, n));
      chosen += row.chosen ? 1 : 0;
    }
    EXPECT_EQ(chosen, 1);
    for (const std::int64_t tile : {16, 48}) EXPECT_TRUE(tiles.contains(tile)) << tile;
    EXPECT_LE(*tiles.rbegin(), std::max<std::int64_t>(n, 64)) << "no tile beyond the matrix";
  }
}

TEST(BlockSizes, EndsWhereTheCallerAsks) {
  Cancellation cancellation;
  cancellation.request();
  EXPECT_EQ(
      error_of([&] {
        study_block_sizes(
            {.tiles = {16}, .vertices = {100}, .threads = 1, .control = {nullptr, &cancellation}});
      }).kind(),
      ErrorKind::interrupted);
}

TEST(BlockSizes, AGpuThatIsNotThereIsAnError) {
  EXPECT_EQ(error_of([] {
              study_block_sizes({.tiles = {64}, .vertices = {100}, .device = Device::cuda},
                                [] { return planner::Devices{}; });
            }).kind(),
            ErrorKind::device);
}

}  // namespace
}  // namespace apsp::bench
