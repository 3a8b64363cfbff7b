// When a matrix rests on the disk, in which steps, and what is said where it cannot.
#include "planner/disk_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "planner/host_model.hpp"
#include "planner/plan_line.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kN = 8000;

/// Its matrix of u16 takes 122 MiB.
Graph graph() { return random_graph({.n = kN, .arcs = 12 * kN, .greatest = 9}); }

SolveOptions with_output() {
  SolveOptions options;
  options.algorithm = Algorithm::floyd_warshall;
  options.output = "a.zarr";
  options.threads = 2;
  options.memory = 100 * kMiB;
  options.disk = 1024 * kMiB;
  return options;
}

Plan plan_of(const SolveOptions& options) { return find_plan(graph(), options, no_device); }

/// What is said of the way over the disk, where it was not gone.
std::string why_not(const SolveOptions& options) {
  for (const CandidateReport& report : plan_of(options).candidates) {
    if (report.why_not.starts_with("on disk: ")) return report.why_not;
  }
  return {};
}

TEST(DiskChoice, IsTakenWhereTheMatrixDoesNotFitTheMemory) {
  const Plan plan = plan_of(with_output());
  ASSERT_TRUE(plan.on_disk());
  EXPECT_TRUE(plan.fits());
  EXPECT_LE(plan.bytes, 100 * kMiB);
  EXPECT_GE(plan.on_disk()->steps(kN), 4);
  EXPECT_FALSE(plan.keeps_matrix());
  EXPECT_EQ(plan.keep, Keep::statistics);
  EXPECT_GE(plan.disk.scratch, 2 * kN * kN * 2);
  const CandidateReport& taken = plan.candidates.front();
  EXPECT_TRUE(taken.taken);
  EXPECT_EQ(taken.residence, "disk");
  EXPECT_EQ(taken.bytes_disk, plan.disk.scratch + kN * kN * 2);
  EXPECT_THAT(plan_line(plan), HasSubstr(", on disk, predicted"));
  SolveOptions enough = with_output();
  enough.memory = 400 * kMiB;
  EXPECT_FALSE(plan_of(enough).on_disk());
}

TEST(DiskChoice, SaysWhyNot) {
  const auto changed = [](auto&& change) {
    SolveOptions options = with_output();
    change(options);
    return why_not(options);
  };
  EXPECT_THAT(changed([](SolveOptions& o) { o.output.clear(); }), HasSubstr("-o OUT.zarr"));
  EXPECT_THAT(changed([](SolveOptions& o) { o.disk = 60 * kMiB; }),
              HasSubstr("there is room for 60.0 MiB"));
  EXPECT_THAT(changed([](SolveOptions& o) { o.via = true; }), HasSubstr("intermediate"));
  EXPECT_THAT(changed([](SolveOptions& o) { o.keep = Keep::matrix; }), HasSubstr("asked for"));
  SolveOptions reach = with_output();
  reach.semiring = Semiring::or_and;
  reach.memory = 10 * kMiB;
  EXPECT_THAT(why_not(reach), HasSubstr("packed bits"));
  const Graph real =
      random_graph({.n = kN, .arcs = 3 * kN, .least = -1, .real = true, .acyclic = true});
  const Plan plan = find_plan(real, with_output(), no_device);
  EXPECT_THAT(why_not_on_disk(real, with_output(), plan), HasSubstr("both signs"));
}

TEST(DiskChoice, IsNamedWhereNothingFits) {
  SolveOptions options = with_output();
  options.output.clear();
  const Error error = error_of([&] { make_plan(graph(), options, no_device); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  EXPECT_THAT(error.what(), HasSubstr("the matrix on disk (-o OUT.zarr)"));
}

TEST(DiskChoice, GoesOnInStepsOfTheFirstRunWhereTheyFit) {
  const Graph problem = graph();
  const Plan plan = plan_of(with_output());
  const places::DiskPlan& first = *plan.on_disk();
  const DiskSteps steps{first.tile, first.band, first.width};
  SolveOptions more = with_output();
  more.memory = 400 * kMiB;
  const Plan same = on_disk_again(problem, more, {}, plan_of(more), steps);
  EXPECT_EQ(same.on_disk()->width, first.width);
  EXPECT_EQ(same.on_disk()->band, first.band);
  SolveOptions less = with_output();
  less.memory = plan.bytes - kMiB / 4;
  const DiskSteps wide{first.tile, first.band, first.width + first.band};
  const Plan narrow = on_disk_again(problem, less, {}, plan_of(less), wide);
  EXPECT_LT(narrow.on_disk()->width, wide.width);
  EXPECT_EQ(narrow.on_disk()->width % first.band, 0);
  EXPECT_LE(narrow.bytes, less.memory);
  Plan rounded = plan_of(less);
  rounded.unit_roundoff = 0x1p-24;
  const Error error = error_of([&] { on_disk_again(problem, less, {}, rounded, wide); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  EXPECT_THAT(error.what(), HasSubstr("--memory"));
}

TEST(DiskChoice, IsPredictedByTheRatesOfTheDisk) {
  const auto seconds = [](double rate) {
    RateSource rates;
    rates.transfers = [=](const RateQuery&) {
      return TransferRates{1e10, rate, rate, "2026-11-22T10:00:00Z"};
    };
    const Plan plan = find_plan(graph(), with_output(), no_device, rates);
    EXPECT_TRUE(plan.on_disk());
    return plan.predicted.solve;
  };
  EXPECT_GT(seconds(1e6), 5 * seconds(1e8));
}

TEST(DiskModel, CountsFillingStepsAndReading) {
  const places::DiskPlan plan{100, 1000, 2500, 100, 0};
  const TransferRates rates{.disk_write_bytes_per_second = 1e6, .disk_read_bytes_per_second = 2e6};
  // 1e8 bytes a generation: 100 s out, 50 s in; four steps.
  EXPECT_DOUBLE_EQ(predict_on_disk(plan, 10'000, 1, 0, rates), 100 + 4 * 150 + 50);
  EXPECT_DOUBLE_EQ(predict_on_disk(plan, 10'000, 1, 5000, rates), 100 + 5000 + 50);
}

}  // namespace
}  // namespace apsp::planner
