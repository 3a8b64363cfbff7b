// Every tile has one owner, and what a member holds of a span of tiles is one piece of its memory.
#include "places/deal.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace apsp::places {
namespace {

TEST(Deal, GivesEveryVertexToOneMember) {
  constexpr std::int64_t kTile = 8;
  for (const int members : {1, 2, 3, 4, 7}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 40, 41, 71}) {
      std::int64_t all = 0;
      for (int me = 0; me < members; ++me) {
        const Deal deal{members, me};
        const std::int64_t held = deal.vertices(n, kTile);
        all += held;
        for (std::int64_t i = 0; i < held; ++i) {
          const std::int64_t vertex = deal.vertex(HeldLine(i), kTile);
          ASSERT_LT(vertex, n) << members << " members, n " << n;
          EXPECT_TRUE(deal.mine(Tile(vertex / kTile)));
          EXPECT_EQ(deal.held(vertex, kTile), HeldLine(i));
        }
      }
      EXPECT_EQ(all, n) << members << " members";
    }
  }
}

TEST(Deal, HoldsASpanInOnePiece) {
  for (const int members : {1, 2, 3}) {
    for (int me = 0; me < members; ++me) {
      const Deal deal{members, me};
      for (Tile t(0); t < Tile(12); ++t) {
        EXPECT_EQ(deal.before(t + 1) - deal.before(t), deal.mine(t) ? 1 : 0);
        EXPECT_TRUE(deal.mine(deal.next(t)));
        EXPECT_EQ(deal.before(deal.next(t)), deal.before(t));
      }
    }
  }
}

}  // namespace
}  // namespace apsp::places
