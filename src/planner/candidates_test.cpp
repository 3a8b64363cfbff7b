// The choice among ways to solve, and what is said of those that were not taken; what would fit
// where nothing does.
#include "planner/candidates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include "planner/find_plan.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"

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
  EXPECT_EQ(reported(plan)[0].why_not, "");
  EXPECT_EQ(plan.candidates[1].algorithm, Algorithm::johnson);
  EXPECT_EQ(reported(plan)[1].why_not, "3.0 times slower");
  EXPECT_EQ(plan.candidates[2].algorithm, Algorithm::floyd_warshall);
  EXPECT_THAT(reported(plan)[2].why_not, HasSubstr("does not fit into 100 B"));
  EXPECT_EQ(plan.candidates[3].why_not, "takes weights of 1 only");
  EXPECT_FALSE(plan.candidates[3].known);
}

TEST(Candidates, WhatComesBeforeEveryWayIsAddedToAllOfThem) {
  Candidates candidates(way(Algorithm::johnson, 12, 50));
  candidates.add(way(Algorithm::nested_dissection, 4, 60));
  candidates.refuse(Algorithm::breadth_first, Device::cpu, "1 CPU thread",
                    "takes weights of 1 only");
  Plan plan = std::move(candidates).chosen();
  add_to_all(4, plan);
  EXPECT_EQ(plan.candidates[0].seconds, 8);
  EXPECT_EQ(plan.candidates[1].seconds, 16);
  EXPECT_EQ(reported(plan)[1].why_not, "2.0 times slower");
  EXPECT_EQ(plan.candidates[2].seconds, 0);
  EXPECT_EQ(plan.candidates[2].why_not, "takes weights of 1 only");
}

TEST(Candidates, OfThoseThatDoNotFitTheOneThatNeedsLeastIsShown) {
  Candidates candidates(way(Algorithm::floyd_warshall, 1, 300));
  candidates.add(way(Algorithm::johnson, 12, 150));
  const Plan plan = std::move(candidates).chosen();
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  EXPECT_FALSE(plan.fits());
  for (const CandidateReport& report : plan.candidates) EXPECT_FALSE(report.taken);
}

TEST(Candidates, AnOutputThatDoesNotFitTheDiskIsNotTaken) {
  Plan matrix = way(Algorithm::floyd_warshall, 1, 50);
  matrix.disk.output = 300;
  matrix.disk.allowed = 200;
  Plan factor = way(Algorithm::nested_dissection, 4, 60);
  factor.disk.output = 20;
  factor.disk.allowed = 200;
  Candidates candidates(matrix);
  EXPECT_TRUE(candidates.any_fits()) << "the memory";
  candidates.add(factor);
  const Plan plan = std::move(candidates).chosen();
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  ASSERT_EQ(plan.candidates.size(), 2u);
  EXPECT_FALSE(plan.candidates[1].fits);
  EXPECT_EQ(reported(plan)[1].why_not, "its output does not fit into 200 B of disk");
}

TEST(Candidates, WhereTheDiskIsTooSmallForAllTheFastestIsShown) {
  Plan slow = way(Algorithm::floyd_warshall, 4, 50), fast = way(Algorithm::johnson, 1, 90);
  slow.disk.output = fast.disk.output = 300;
  slow.disk.allowed = fast.disk.allowed = 200;
  Candidates candidates(slow);
  candidates.add(fast);
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
  for (const CandidateReport& report : reported(plan)) {
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
  EXPECT_THAT(text, HasSubstr("`value_type=u16`"));
}

TEST(WhatWouldFit, NamesOtherAlgorithmsAndTheFactor) {
  const std::string text =
      advice_of(sparse(), {.algorithm = Algorithm::floyd_warshall, .memory = 40 * kMiB});
  EXPECT_THAT(text, HasSubstr("`algorithm=auto`"));
}

TEST(WhatWouldFit, NamesPlanesThatCanBeLeftOut) {
  const std::string text =
      advice_of(sparse(), {.memory = 40 * kMiB, .via = true, .keep = Keep::statistics});
  EXPECT_THAT(text, HasSubstr("leaving `via` out"));
}

TEST(WhatWouldFit, NamesTheDiskAndTheFactor) {
  const std::string text = advice_of(sparse(), {.memory = 75 * kMiB, .keep = Keep::matrix});
  EXPECT_THAT(text, HasSubstr("on disk (`keep=statistics` with `output=OUT.zarr`)"));
  EXPECT_THAT(text, HasSubstr("`stored=factor`"));
}

/// 12 bytes a pair of 1,000², and 12 an arc of the graph beside them, on a disk of so many bytes.
SolveOptions to_disk(std::int64_t disk) {
  return {.value_type = ValueType::f64,
          .memory = 1024 * kMiB,
          .output = "a.zarr",
          .predecessors = true,
          .keep = Keep::statistics,
          .disk = disk};
}

Graph dense() { return random_graph({.n = 1000, .arcs = 100'000, .least = 1}); }

TEST(WhatWouldFit, NamesWhatADiskThatIsTooSmallHasRoomFor) {
  const std::string text = advice_of(dense(), to_disk(9 * kMiB));
  EXPECT_THAT(text, HasSubstr("The output takes 12.8 MiB as f64, before any compression, and its "
                              "disk has room for 9.0 MiB. "));
  EXPECT_THAT(text, HasSubstr("`value_type=u16`, or leaving `predecessors` out"));
  EXPECT_THAT(text, HasSubstr("`output` on a disk with 12.8 MiB free"));
  EXPECT_THAT(text, HasSubstr("`disk=SIZE`"));
  EXPECT_THAT(text, Not(HasSubstr("may be used"))) << "there is enough memory";
  EXPECT_THAT(text, Not(HasSubstr("sources"))) << "predecessors are kept for all pairs";
  const std::int64_t bytes = find_plan(dense(), to_disk(9 * kMiB), no_device).disk.output;
  EXPECT_GT(bytes, 12'000'000 + 12 * 100'000);
  EXPECT_EQ(make_plan(dense(), to_disk(bytes), no_device).disk.output, bytes);
  EXPECT_THROW(make_plan(dense(), to_disk(bytes - 1), no_device), Error);
}

TEST(WhatWouldFit, PromisesNothingThatDoesNotFitTheDiskEither) {
  const std::string text = advice_of(dense(), to_disk(1 * kMiB));
  EXPECT_THAT(text, Not(HasSubstr("`value_type="))) << "6 MB with predecessors";
  EXPECT_THAT(text, Not(HasSubstr("leaving"))) << "8 MB in f64";
}

/// The number behind "random:" in an advice; 0: none.
std::int64_t sources_in(const std::string& text) {
  const std::string words = "`sources=random:";
  const std::size_t at = text.find(words);
  return at == std::string::npos ? 0 : std::stoll(text.substr(at + words.size()));
}

TEST(WhatWouldFit, NamesHowManySourcesTheDiskHasRoomFor) {
  SolveOptions options = to_disk(4'100'000);  // 330 rows of 8,000 bytes, and the graph
  options.predecessors = false;
  options.stored = Keep::matrix;
  EXPECT_EQ(sources_in(advice_of(dense(), options)), 330);
  options.disk = 7'999;
  EXPECT_EQ(sources_in(advice_of(dense(), options)), 0) << "not even one row";
}

TEST(WhatWouldFit, NamesHowManySourcesTheMemoryHasRoomFor) {
  SolveOptions options{.memory = 45 * kMiB, .keep = Keep::matrix};
  const std::int64_t sources = sources_in(advice_of(sparse(), options));
  ASSERT_GT(sources, 0);
  const auto fits = [&](std::int64_t count) {
    options.threads = 1;
    options.sources.clear();
    for (Vertex v = 0; v < static_cast<Vertex>(count); ++v) options.sources.push_back(v);
    return find_plan(sparse(), options, no_device).fits();
  };
  EXPECT_TRUE(fits(sources));
  EXPECT_FALSE(fits(sources + sources / 4)) << "an advice that gives much away";
}

TEST(WhatWouldFit, PromisesNothingThatDoesNotHelp) {
  const std::string text =
      advice_of(sparse(), {.algorithm = Algorithm::floyd_warshall, .memory = 1 * kMiB});
  EXPECT_THAT(text, Not(HasSubstr("What would fit")));
  EXPECT_THAT(text, HasSubstr("`memory="));
}

}  // namespace
}  // namespace apsp::planner
