// Every tile has one owner, a member's part of a span of tiles is one piece of its memory, and a
// broadcast reaches every member once, from one that has it.
#include "dense/grid.hpp"

#include "support/test.hpp"

namespace apsp::dense::grid_test {
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

TEST(Route, ReachesEveryMemberOnceAndOnlyOnceFromItsParent) {
  for (const Broadcast pattern : {Broadcast::ring, Broadcast::binomial}) {
    for (int members = 1; members <= 17; ++members) {
      for (int root = 0; root < members; ++root) {
        std::vector<int> reached = {root};
        for (std::size_t i = 0; i < reached.size(); ++i) {
          for (const int child : route(pattern, members, root, reached[i]).children) {
            EXPECT_EQ(route(pattern, members, root, child).parent, reached[i]);
            reached.push_back(child);
          }
        }
        EXPECT_EQ(route(pattern, members, root, root).parent, -1);
        std::sort(reached.begin(), reached.end());
        ASSERT_EQ(static_cast<int>(reached.size()), members);
        for (int i = 0; i < members; ++i) EXPECT_EQ(reached[static_cast<std::size_t>(i)], i);
      }
    }
  }
}

TEST(Route, RingsSendOnceAndTreesAreShallow) {
  for (int members = 2; members <= 64; ++members) {
    int depth = 0;
    for (int rank = 0; rank < members; ++rank) {
      EXPECT_LE(route(Broadcast::ring, members, 0, rank).children.size(), 1U);
      int steps = 0;
      for (int at = rank; at != 0; at = route(Broadcast::binomial, members, 0, at).parent) ++steps;
      depth = std::max(depth, steps);
    }
    EXPECT_LE(1 << depth, members);
  }
}

}  // namespace
}  // namespace apsp::dense::grid_test
