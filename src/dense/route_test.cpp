// A broadcast reaches every member once, and whoever sends has what it sends.
#include "dense/route.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace apsp::dense {
namespace {

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
}  // namespace apsp::dense
