#include "cluster/communicator.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace apsp::cluster {
namespace {

TEST(Placement, FillsTheGridOnce) {
  for (const Placement& placement :
       {Placement{1, 1}, {3, 4}, {4, 6, 2, 3}, {4, 4, 4, 1}, {6, 6, 3, 2}}) {
    std::set<std::pair<int, int>> taken;
    for (int process = 0; process < placement.rows * placement.cols; ++process) {
      const int row = placement.row(process), col = placement.col(process);
      EXPECT_TRUE(row >= 0 && row < placement.rows && col >= 0 && col < placement.cols);
      taken.emplace(row, col);
    }
    EXPECT_EQ(static_cast<int>(taken.size()), placement.rows * placement.cols);
    EXPECT_EQ(placement.row(0), 0);
    EXPECT_EQ(placement.col(0), 0);
  }
}

TEST(Placement, IsRowByRowUnlessThereAreBlocks) {
  const Placement plain{2, 3};
  EXPECT_EQ(plain.row(4), 1);
  EXPECT_EQ(plain.col(4), 1);
}

TEST(Placement, NeighboursFillABlock) {
  const Placement blocks{4, 4, 2, 2};
  for (int process = 4; process < 8; ++process) {  // the second block, right of the first
    EXPECT_LT(blocks.row(process), 2);
    EXPECT_GE(blocks.col(process), 2);
  }
}

TEST(Placement, BlocksAreNearlySquare) {
  const auto blocks = placed_in_blocks(8, 12, 6);
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->block_rows * blocks->block_cols, 6);
  EXPECT_EQ(blocks->block_rows + blocks->block_cols, 5);
  EXPECT_FALSE(placed_in_blocks(2, 2, 3));
  EXPECT_FALSE(placed_in_blocks(5, 7, 4));
  EXPECT_TRUE(placed_in_blocks(5, 7, 1));
}

}  // namespace
}  // namespace apsp::cluster
