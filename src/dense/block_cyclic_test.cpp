// Every tile has one owner, and what a member holds of a span of tiles is one piece of its memory.
#include "dense/block_cyclic.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace apsp::dense {
namespace {

TEST(BlockCyclic, GivesEveryVertexToOneMember) {
  constexpr std::int64_t kTile = 8;
  for (const int members : {1, 2, 3, 4, 7}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 40, 41, 71}) {
      std::int64_t all = 0;
      for (int rank = 0; rank < members; ++rank) {
        const BlockCyclic distribution{members, rank};
        const std::int64_t held = distribution.vertices(n, kTile);
        all += held;
        for (std::int64_t i = 0; i < held; ++i) {
          const std::int64_t vertex = distribution.vertex(LocalIndex(i), kTile);
          ASSERT_LT(vertex, n) << members << " members, n " << n;
          EXPECT_TRUE(distribution.mine(Tile(vertex / kTile)));
          EXPECT_EQ(distribution.held(vertex, kTile), LocalIndex(i));
        }
      }
      EXPECT_EQ(all, n) << members << " members";
    }
  }
}

TEST(BlockCyclic, HoldsASpanInOnePiece) {
  for (const int members : {1, 2, 3}) {
    for (int rank = 0; rank < members; ++rank) {
      const BlockCyclic distribution{members, rank};
      for (Tile t(0); t < Tile(12); ++t) {
        EXPECT_EQ(distribution.before(t + 1) - distribution.before(t),
                  distribution.mine(t) ? 1 : 0);
        EXPECT_TRUE(distribution.mine(distribution.next(t)));
        EXPECT_EQ(distribution.before(distribution.next(t)), distribution.before(t));
      }
    }
  }
}

}  // namespace
}  // namespace apsp::dense
