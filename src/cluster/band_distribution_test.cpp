// Bands are distributed evenly, those that are there and those that are missing.
#include "cluster/band_distribution.hpp"

#include "support/test.hpp"

namespace apsp::cluster::band_distribution_test {
namespace {

planner::Plan ten_bands() {
  planner::Plan plan;
  plan.n = 95;
  plan.chunk = 10;
  return plan;
}

TEST(BandDistribution, ComeInTurn) {
  const planner::Plan plan = ten_bands();
  const BandDistribution bands{plan, 3};
  EXPECT_EQ(bands.count(), 10);
  EXPECT_THAT(bands.of(0), ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(bands.of(2), ElementsAre(2, 5, 8));
  EXPECT_THAT(bands.rows(9), ElementsAre(90, 91, 92, 93, 94));
}

TEST(BandDistribution, ThatAreThereAndThatAreMissingAreDistributedApart) {
  const planner::Plan plan = ten_bands();
  const BandDistribution bands{plan, 2, {0, 2, 4, 6}};
  EXPECT_THAT(bands.of(0), ElementsAre(0, 1, 4, 5, 8));
  EXPECT_THAT(bands.of(1), ElementsAre(2, 3, 6, 7, 9));
}

}  // namespace
}  // namespace apsp::cluster::band_distribution_test
