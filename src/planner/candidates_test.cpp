// The choice among ways to solve, and what is said of those that were not taken; what would fit
// where nothing does.
#include "planner/candidates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include "planner/fitting.hpp"
#include "testing/error_of.hpp"
#include "testing/invented_devices.hpp"
#include "testing/random_graph.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

Plan way(Algorithm algorithm, double seconds, std::int64_t bytes) {
  Plan plan;
  plan.algorithm = algorithm;
  plan.predicted.seconds = seconds;
  plan.bytes = bytes;
  plan.bytes_allowed = 100;
  return plan;
}

TEST(Candidates, TheFastestThatFitsIsTakenAndTheOthersSayWhyNot) {
  Candidates candidates(way(Algorithm::floyd_warshall, 1, 200));
  candidates.add(way(Algorithm::johnson, 12, 50));
  candidates.add(way(Algorithm::nested_dissection, 4, 60));
  candidates.refuse(Algorithm::breadth_first, Device::cpu, "1 CPU thread",
                    "takes weights of 1 only");
  const Plan plan = std::move(candidates).chosen();
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  ASSERT_EQ(plan.candidates.size(), 4u);
  EXPECT_TRUE(plan.candidates[0].taken);
  EXPECT_EQ(plan.candidates[0].algorithm, Algorithm::nested_dissection);
  EXPECT_EQ(plan.candidates[0].why_not, "");
  EXPECT_EQ(plan.candidates[1].algorithm, Algorithm::johnson);
  EXPECT_EQ(plan.candidates[1].why_not, "3.0 times slower");
  EXPECT_EQ(plan.candidates[2].algorithm, Algorithm::floyd_warshall);
  EXPECT_THAT(plan.candidates[2].why_not, HasSubstr("does not fit into 100 B"));
  EXPECT_EQ(plan.candidates[3].why_not, "takes weights of 1 only");
  EXPECT_FALSE(plan.candidates[3].known);
}

TEST(Candidates, OfThoseThatDoNotFitTheOneThatNeedsLeastIsShown) {
  Candidates candidates(way(Algorithm::floyd_warshall, 1, 300));
  candidates.add(way(Algorithm::johnson, 12, 150));
  const Plan plan = std::move(candidates).chosen();
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  EXPECT_FALSE(plan.fits());
  for (const CandidateReport& report : plan.candidates) EXPECT_FALSE(report.taken);
}

TEST(Candidates, FindingOutMustPay) {
  Candidates candidates(way(Algorithm::floyd_warshall, 1, 50));
  EXPECT_TRUE(candidates.worth(0.1, 4));
  EXPECT_FALSE(candidates.worth(0.5, 4));
  EXPECT_TRUE(Candidates(way(Algorithm::floyd_warshall, 1, 200)).worth(1000, 4));
}

TEST(FindPlan, ListsEveryWayOfASparseGraph) {
  const Graph graph = random_graph({.n = 2000, .arcs = 6000, .least = 2});
  const Plan plan = find_plan(graph, {.device = Device::automatic, .threads = 2}, no_device);
  std::vector<Algorithm> algorithms;
  for (const CandidateReport& report : plan.candidates) {
    algorithms.push_back(report.algorithm);
    EXPECT_EQ(report.taken, report.why_not.empty());
    if (report.known) {
      EXPECT_GT(report.seconds, 0);
      EXPECT_GT(report.bytes, 0);
      EXPECT_FALSE(report.residence.empty());
    }
  }
  EXPECT_THAT(algorithms,
              testing::UnorderedElementsAre(Algorithm::floyd_warshall, Algorithm::floyd_warshall,
                                            Algorithm::breadth_first, Algorithm::johnson,
                                            Algorithm::boundary, Algorithm::nested_dissection));
}

/// What is said where nothing fits.
std::string advice_of(const Graph& graph, SolveOptions options) {
  options.threads = 1;
  const Error error = error_of([&] { make_plan(graph, options, no_device); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  return error.what();
}

Graph sparse() { return random_graph({.n = 6000, .arcs = 12'000, .least = 1}); }

TEST(WhatWouldFit, NamesANarrowerType) {
  const Graph dense = random_graph({.n = 3000, .arcs = 400'000, .least = 1});
  const std::string text = advice_of(
      dense,
      {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::f64, .memory = 60 * kMiB});
  EXPECT_THAT(text, HasSubstr("--dtype u16"));
}

TEST(WhatWouldFit, NamesOtherAlgorithmsAndTheFactor) {
  const std::string text =
      advice_of(sparse(), {.algorithm = Algorithm::floyd_warshall, .memory = 40 * kMiB});
  EXPECT_THAT(text, HasSubstr("--algorithm auto"));
}

TEST(WhatWouldFit, NamesPlanesThatCanBeLeftOut) {
  const std::string text =
      advice_of(sparse(), {.memory = 40 * kMiB, .via = true, .keep = Keep::statistics});
  EXPECT_THAT(text, HasSubstr("leaving --via out"));
}

TEST(WhatWouldFit, NamesTheDiskAndTheFactor) {
  const std::string text = advice_of(sparse(), {.memory = 75 * kMiB, .keep = Keep::matrix});
  EXPECT_THAT(text, HasSubstr("on disk (-o OUT.zarr)"));
  EXPECT_THAT(text, HasSubstr("--keep factor"));
}

TEST(WhatWouldFit, PromisesNothingThatDoesNotHelp) {
  const std::string text =
      advice_of(sparse(), {.algorithm = Algorithm::floyd_warshall, .memory = 1 * kMiB});
  EXPECT_THAT(text, Not(HasSubstr("What would fit")));
  EXPECT_THAT(text, HasSubstr("--memory"));
}

}  // namespace
}  // namespace apsp::planner
