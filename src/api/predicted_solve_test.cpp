// The way from measured rates through the plan to the report of a solve.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/solve.hpp"
#include "rates/measured_rates.hpp"
#include "rates/timed_solves.hpp"
#include "support/invented_devices.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::api {
namespace {

TEST(PredictedSolve, SaysThatItWasPredictedByMeasurements) {
  constexpr double kShort = 0.03;  // s
  rates::MeasuredRates measured({.folder = {},
                                 .measuring = rates::Measuring::always,
                                 .most_on_host = kShort,
                                 .most_on_device = kShort,
                                 .sizes = {16, 32}},
                                planner::no_device);
  const auto graph = rates::measuring_graph(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, dense::Shape::full, 300);
  SolveOptions options{.method = {.value_type = ValueType::f32}, .machine = {.threads = 1}};
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) { plan = made; };
  const SolveReport report =
      solve_among(measured.find(), *graph, options, measured.source()).report();
  EXPECT_FALSE(report.prediction_rough);
  EXPECT_EQ(report.seconds_predicted, plan.predicted.seconds);
  EXPECT_GT(plan.predicted.solve, 0);
  EXPECT_GT(plan.predicted.statistics, 0);
  EXPECT_THAT(plan.line, testing::Not(testing::HasSubstr("about")));
  const SolveReport rough =
      solve_among(planner::no_device, *graph, {.machine = {.threads = 1}}).report();
  EXPECT_TRUE(rough.prediction_rough);
  EXPECT_GT(rough.seconds_predicted, 0);
}

/// Statistics run while rows are stored: what they hide is not said of the disk.
TEST(PredictedSolve, NotesWhatTheOutputTookUnlessStatisticsTookMostOfIt) {
  const TemporaryFolder folder;
  const auto graph = rates::measuring_graph(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, dense::Shape::full, 60);
  SolveOptions options{
      .method = {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::f32}};
  options.storage.output = folder / "x.npy";
  for (const bool slow : {false, true}) {
    std::vector<double> noted;
    planner::RateSource rates;
    rates.host = [&](const planner::RateQuery&) {
      return planner::HostRates{.solve = planner::RateCurve({{60, 1e-3}}),
                                .statistics = slow ? 1 : 1e12};  // pairs a second
    };
    rates.stored = [&](const planner::RateQuery&, double, double seconds) {
      noted.push_back(seconds);
    };
    solve_among(planner::no_device, *graph, options, rates);
    EXPECT_EQ(noted.size(), slow ? 0u : 1u);
    for (const double seconds : noted) EXPECT_GT(seconds, 0);
  }
}

}  // namespace
}  // namespace apsp::api
