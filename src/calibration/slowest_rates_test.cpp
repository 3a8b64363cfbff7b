// The slowest of several machines: longer times, lower rates.
#include "calibration/slowest_rates.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "calibration/rate_figures.hpp"

namespace apsp::calibration {
namespace {

TEST(SlowestRates, AreLongerTimesAndLowerRates) {
  planner::EliminationRates one{.eliminated = 5,
                                .assembled = 6,
                                .front = 1e-6,
                                .swept_alone = 7,
                                .swept_wide = 8,
                                .supernode = 3e-6,
                                .vertex = 4e-6,
                                .transposed = 9,
                                .counted = 10,
                                .counted_swept = 11};
  planner::EliminationRates other = one;
  other.eliminated = 4;
  other.front = 2e-6;
  other.transposed = 90;
  other.vertex = 1e-9;
  const auto slower = elimination_rates_from_json(slowest_rates(to_json(one), to_json(other)));
  ASSERT_TRUE(slower);
  EXPECT_EQ(slower->eliminated, 4);
  EXPECT_EQ(slower->front, 2e-6);
  EXPECT_EQ(slower->transposed, 9);
  EXPECT_EQ(slower->vertex, 4e-6);
  EXPECT_EQ(slowest_rates(to_json(other), to_json(one)),
            slowest_rates(to_json(one), to_json(other)));
}

TEST(SlowestRates, OfCurvesTakeTheLongerTimeOfEverySize) {
  planner::HostRates one, other;
  one.solve = planner::RateCurve({{100, 2}, {1000, 1000}});
  one.start = 1;
  other.solve = planner::RateCurve({{100, 1}, {500, 200}});
  other.arcs = 3;
  const auto slower = host_rates_from_json(slowest_rates(to_json(one), to_json(other)));
  ASSERT_TRUE(slower);
  for (const double n : {100.0, 500.0, 1000.0}) {
    EXPECT_DOUBLE_EQ(slower->solve.seconds(n),
                     std::max(one.solve.seconds(n), other.solve.seconds(n)))
        << n;
  }
  EXPECT_EQ(slower->start, 1) << "which one alone knows";
  EXPECT_EQ(slower->arcs, 3);
}

TEST(SlowestRates, OfAGpuAndItsLink) {
  const planner::LinkRates one{.start = 0.1, .launch = 2e-6, .pinned = 5, .in = 6, .out = 7};
  planner::LinkRates other = one;
  other.launch = 3e-6;
  other.out = 1;
  const auto slower = link_rates_from_json(slowest_rates(to_json(one), to_json(other)));
  ASSERT_TRUE(slower);
  EXPECT_EQ(slower->launch, 3e-6);
  EXPECT_EQ(slower->out, 1);
}

}  // namespace
}  // namespace apsp::calibration
