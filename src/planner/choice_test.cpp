// The choice among ways to solve, and what is said of those that were not taken.
#include "planner/candidates.hpp"

#include "planner/device_model.hpp"
#include "planner/find_plan.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::planner::choice_test {
namespace {

Plan way(Algorithm algorithm, double seconds, std::int64_t bytes) {
  Plan plan;
  plan.algorithm = algorithm;
  plan.predicted.seconds = seconds;
  plan.bytes = bytes;
  plan.bytes_allowed = 100;
  return plan;
}

Plan with_output(Plan plan, std::int64_t bytes) {
  plan.disk.output = bytes;
  plan.disk.allowed = 200;
  return plan;
}

Candidates among(Plan first) {
  Candidates candidates;
  candidates.add(std::move(first));
  return candidates;
}

Plan taken(Candidates candidates) { return std::get<Plan>(std::move(candidates).chosen()); }

TEST(Candidates, TheFastestThatFitsIsTakenAndTheOthersSayWhyNot) {
  Candidates candidates = among(way(Algorithm::floyd_warshall, 1, 200));
  candidates.add(way(Algorithm::johnson, 12, 50));
  candidates.add(way(Algorithm::nested_dissection, 4, 60));
  candidates.add(
      {Algorithm::breadth_first, Device::cpu, "1 CPU thread", "takes weights of 1 only"});
  const Plan plan = taken(std::move(candidates));
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  ASSERT_EQ(plan.candidates.size(), 4u);
  EXPECT_TRUE(plan.candidates[0].taken);
  EXPECT_EQ(plan.candidates[0].algorithm, Algorithm::nested_dissection);
  EXPECT_EQ(reported(plan)[0].why_not, "");
  EXPECT_EQ(plan.candidates[1].algorithm, Algorithm::johnson);
  EXPECT_EQ(reported(plan)[1].why_not, "3.0 times slower");
  EXPECT_EQ(plan.candidates[2].algorithm, Algorithm::floyd_warshall);
  EXPECT_FALSE(plan.candidates[2].fits);
  EXPECT_EQ(plan.candidates[3].why_not, "takes weights of 1 only");
  EXPECT_FALSE(plan.candidates[3].known);
}

TEST(Candidates, WhatComesBeforeEveryWayIsTheSameForAllOfThem) {
  const auto after = [](double start, Plan plan) {
    plan.predicted.start = start;
    plan.predicted.seconds += start;
    return plan;
  };
  Candidates candidates = among(after(2, way(Algorithm::johnson, 12, 50)));
  candidates.add(after(10, way(Algorithm::nested_dissection, 4, 60)));
  candidates.add(
      {Algorithm::breadth_first, Device::cpu, "1 CPU thread", "takes weights of 1 only"});
  Plan plan = taken(std::move(candidates));
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection) << "planning has made the start";
  plan.begin_after(4);
  EXPECT_EQ(plan.predicted.start, 4);
  EXPECT_EQ(plan.predicted.seconds, 8);
  EXPECT_EQ(plan.candidates[0].seconds, 8);
  EXPECT_EQ(plan.candidates[1].seconds, 16);
  EXPECT_EQ(reported(plan)[1].why_not, "2.0 times slower");
  EXPECT_EQ(plan.candidates[2].seconds, 0);
  EXPECT_EQ(plan.candidates[2].why_not, "takes weights of 1 only");
}

TEST(Candidates, OfThoseThatDoNotFitTheOneThatNeedsLeastIsShown) {
  Candidates candidates = among(way(Algorithm::floyd_warshall, 1, 300));
  candidates.add(way(Algorithm::johnson, 12, 150));
  const Plan plan = taken(std::move(candidates));
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  EXPECT_FALSE(plan.fits());
  for (const CandidateReport& report : plan.candidates) EXPECT_FALSE(report.taken);
}

TEST(Candidates, AnOutputThatDoesNotFitTheDiskIsNotTaken) {
  Candidates candidates = among(with_output(way(Algorithm::floyd_warshall, 1, 50), 300));
  EXPECT_TRUE(candidates.any_fits()) << "the memory";
  candidates.add(with_output(way(Algorithm::nested_dissection, 4, 60), 20));
  const Plan plan = taken(std::move(candidates));
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  ASSERT_EQ(plan.candidates.size(), 2u);
  EXPECT_FALSE(plan.candidates[1].fits);
  EXPECT_EQ(reported(plan)[1].why_not, "its output does not fit into 200 B of disk");
}

TEST(Candidates, WhereTheDiskIsTooSmallForAllTheFastestIsShown) {
  Candidates candidates = among(with_output(way(Algorithm::floyd_warshall, 4, 50), 300));
  candidates.add(with_output(way(Algorithm::johnson, 1, 90), 300));
  const Plan plan = taken(std::move(candidates));
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  EXPECT_FALSE(plan.fits());
  for (const CandidateReport& report : plan.candidates) EXPECT_FALSE(report.taken);
}

TEST(Candidates, FindingOutMustPay) {
  Candidates candidates = among(way(Algorithm::floyd_warshall, 1, 50));
  EXPECT_TRUE(candidates.worth(0.1, 4));
  EXPECT_FALSE(candidates.worth(0.5, 4));
  EXPECT_TRUE(among(way(Algorithm::floyd_warshall, 1, 200)).worth(1000, 4));
}

TEST(Candidates, AStartThatIsOverCannotBeSaved) {
  Plan best = way(Algorithm::johnson, 0.25, 50);
  best.predicted.start = 0.2;
  EXPECT_FALSE(among(best).worth(0.08, 2.75));
  EXPECT_TRUE(among(best).worth(0.01, 2.75));
  EXPECT_DOUBLE_EQ(among(best).limit(), 0.05);
}

TEST(Candidates, AnEstimatedOrderIsStillToBeMade) {
  RowsPlan rows{.by = RowsByFactor{}};
  rows.costs.ordering_seconds = 3;
  Plan factor = way(Algorithm::nested_dissection, 4, 60);
  factor.method = rows;
  Candidates candidates = among(way(Algorithm::johnson, 6, 50));
  candidates.add(factor);
  Plan plan = taken(std::move(candidates));
  plan.begin_after(1);
  EXPECT_EQ(plan.predicted.start, 4);
  EXPECT_EQ(plan.predicted.seconds, 8);
  EXPECT_EQ(plan.candidates[0].seconds, 8);
  EXPECT_EQ(plan.candidates[1].seconds, 7) << "searches need none";
  EXPECT_EQ(reported(plan)[1].why_not, "slower once the graph is ordered");
}

TEST(Plan, GpusThatWereLookedForNeedNoStartAgain) {
  const FoundDevices gpus(one_device);
  const double less = driver_start_seconds({});
  EXPECT_FALSE(pays_for_driver(less, {}, gpus));
  EXPECT_TRUE(pays_for_driver(2 * less, {}, gpus));
  gpus.named({});
  EXPECT_TRUE(pays_for_driver(less, {}, gpus));
  EXPECT_FALSE(pays_for_driver(less, {}, FoundDevices(gpus))) << "another question is of its own";
}

TEST(FindPlan, ListsEveryWayOfASparseGraph) {
  const Graph graph = random_graph({.n = 2000, .arcs = 6000, .least = 2});
  const Plan plan =
      find_plan(graph, {.machine = {.device = Device::automatic, .threads = 2}}, no_device);
  std::vector<Algorithm> algorithms;
  for (const CandidateReport& report : reported(plan)) {
    algorithms.push_back(report.algorithm);
    EXPECT_EQ(report.taken, report.why_not.empty());
    if (report.known) {
      EXPECT_GT(report.seconds, 0);
      EXPECT_GT(report.bytes, 0);
      EXPECT_FALSE(report.residence.empty());
    }
  }
  EXPECT_THAT(algorithms, UnorderedElementsAre(Algorithm::floyd_warshall, Algorithm::floyd_warshall,
                                               Algorithm::breadth_first, Algorithm::johnson,
                                               Algorithm::boundary, Algorithm::nested_dissection));
}

}  // namespace
}  // namespace apsp::planner::choice_test
