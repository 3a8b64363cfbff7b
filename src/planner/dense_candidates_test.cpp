// When a matrix rests on the disk, in which steps, and what is said where it cannot.
#include "planner/dense_candidates.hpp"

#include "planner/dense_model.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan_line.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::planner::dense_candidates_test {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kN = 8000;

/// Its matrix of u16 takes 122 MiB.
Graph graph() { return random_graph({.n = kN, .arcs = 12 * kN, .greatest = 9}); }

SolveOptions with_output() {
  SolveOptions options;
  options.method.algorithm = Algorithm::floyd_warshall;
  options.storage.output = "a.zarr";
  options.machine.threads = 2;
  options.machine.memory = 100 * kMiB;
  options.storage.disk = 1024 * kMiB;
  return options;
}

Plan plan_of(const SolveOptions& options) { return find_plan(graph(), options, no_device); }

Plan again(const Graph& problem, const SolveOptions& options, const Plan& plan,
           const DiskSteps& steps, const FindDevices& find = no_device) {
  return on_disk_again({problem, options, find, {}}, plan, steps);
}

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
  EXPECT_EQ(taken.bytes_disk, plan.disk.scratch + plan.disk.output);
  EXPECT_GE(plan.disk.output, kN * kN * 2);
  SolveOptions enough = with_output();
  enough.machine.memory = 400 * kMiB;
  EXPECT_FALSE(plan_of(enough).on_disk());
}

TEST(DiskChoice, SaysWhyNot) {
  using Change = void (*)(SolveOptions&);
  for (const Change change :
       {Change([](SolveOptions& o) { o.storage.output.clear(); }),
        Change([](SolveOptions& o) { o.storage.disk = 60 * kMiB; }),
        Change([](SolveOptions& o) { o.question.via = true; }),
        Change([](SolveOptions& o) { o.storage.keep = Keep::matrix; }), Change([](SolveOptions& o) {
          o.question.semiring = Semiring::or_and;
          o.machine.memory = 10 * kMiB;
        })}) {
    SolveOptions options = with_output();
    change(options);
    EXPECT_NE(why_not(options), "");
    EXPECT_FALSE(plan_of(options).on_disk());
  }
  const Graph real =
      random_graph({.n = kN, .arcs = 3 * kN, .least = -1, .real = true, .acyclic = true});
  const Plan plan = find_plan(real, with_output(), no_device);
  EXPECT_NE(why_not_on_disk(with_output(), plan), "");
  SolveOptions via = with_output();
  via.machine.device = Device::cuda;
  via.question.via = true;
  EXPECT_FALSE(find_plan(graph(), via, one_device).on_disk());
}

TEST(DiskChoice, IsNamedWhereNothingFits) {
  SolveOptions options = with_output();
  options.storage.output.clear();
  EXPECT_ERROR(does_not_fit, make_plan(graph(), options, no_device));
}

TEST(DiskChoice, GoesOnInStepsOfTheFirstRunWhereTheyFit) {
  const Graph problem = graph();
  const Plan plan = plan_of(with_output());
  const dense::DiskPlan& first = *plan.on_disk();
  const DiskSteps steps{first.tile, first.band, first.width};
  SolveOptions more = with_output();
  more.machine.memory = 400 * kMiB;
  const Plan same = again(problem, more, plan_of(more), steps);
  EXPECT_EQ(same.on_disk()->width, first.width);
  EXPECT_EQ(same.on_disk()->band, first.band);
  SolveOptions less = with_output();
  less.machine.memory = plan.bytes - kMiB / 4;
  const DiskSteps wide{first.tile, first.band, first.width + first.band};
  const Plan narrow = again(problem, less, plan_of(less), wide);
  EXPECT_LT(narrow.on_disk()->width, wide.width);
  EXPECT_EQ(narrow.on_disk()->width % first.band, 0);
  EXPECT_LE(narrow.bytes, less.machine.memory);
  Plan rounded = plan_of(less);
  rounded.unit_roundoff = 0x1p-24;
  EXPECT_ERROR(does_not_fit, again(problem, less, rounded, wide));
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

SolveOptions with_gpu() {
  SolveOptions options = with_output();
  options.machine.device = Device::cuda;
  return options;
}

Plan plan_with_gpu(const SolveOptions& options) { return find_plan(graph(), options, one_device); }

TEST(DiskChoice, TakesTheGpuThatWasNamed) {
  const Plan plan = plan_with_gpu(with_gpu());
  ASSERT_TRUE(plan.on_disk() && plan.on_device);
  EXPECT_TRUE(plan.fits());
  EXPECT_LE(plan.bytes, 100 * kMiB);
  EXPECT_TRUE(plan.on_disk()->stays);
  EXPECT_EQ(plan.on_disk()->passes(kN), 1);
  EXPECT_FALSE(plan.on_device->streamed);
  EXPECT_EQ(plan.on_device->bytes, plan.on_disk()->device_bytes);
  EXPECT_GT(plan.on_device->seconds, 0);
  EXPECT_EQ(plan.keep, Keep::statistics);
  EXPECT_EQ(plan.candidates.front().device, Device::cuda);
  EXPECT_EQ(plan.candidates.front().residence, "disk");
  for (const CandidateReport& report : plan.candidates) EXPECT_EQ(report.device, Device::cuda);
}

TEST(DiskChoice, PassesThroughAGpuOfLittleMemory) {
  SolveOptions options = with_gpu();
  options.machine.device_memory = 60 * kMiB;
  const Plan plan = plan_with_gpu(options);
  ASSERT_TRUE(plan.on_disk() && plan.on_device);
  EXPECT_FALSE(plan.on_disk()->stays);
  EXPECT_TRUE(plan.on_device->streamed);
  EXPECT_GE(plan.on_disk()->passes(kN), 2);
  EXPECT_LE(plan.on_device->bytes, 60 * kMiB);
  EXPECT_GT(plan.predicted.seconds, plan_with_gpu(with_gpu()).predicted.seconds);
}

TEST(DiskChoice, TakesAGpuByItselfWhereThatIsFaster) {
  SolveOptions options = with_output();
  const auto with_disk = [&](double rate) {
    RateSource rates;
    rates.transfers = [=](const RateQuery&) {
      return TransferRates{1e10, rate, rate, "2026-11-25T10:00:00Z"};
    };
    return find_plan(graph(), options, one_device, rates);
  };
  const Plan plan = with_disk(2e9);
  ASSERT_TRUE(plan.on_disk());
  EXPECT_EQ(plan.device(), Device::cuda);
  const auto on_disk =
      std::count_if(plan.candidates.begin(), plan.candidates.end(),
                    [](const CandidateReport& report) { return report.residence == "disk"; });
  EXPECT_EQ(on_disk, 2) << "the CPU's way is told too";
}

constexpr auto two_devices = several_devices<2>;

SolveOptions with_two_gpus() {
  SolveOptions options = with_gpu();
  options.machine.device_ordinals = {0, 1};
  return options;
}

TEST(DiskChoice, SeveralGpusHoldTheMatrixTogether) {
  SolveOptions options = with_two_gpus();
  options.machine.device_memory = 85 * kMiB;  // of a matrix of 122 MiB
  const Plan plan = find_plan(graph(), options, two_devices);
  ASSERT_TRUE(plan.on_disk() && plan.on_device);
  EXPECT_TRUE(plan.fits());
  EXPECT_TRUE(plan.on_disk()->stays);
  EXPECT_EQ(plan.on_disk()->devices, 2);
  EXPECT_EQ(plan.on_disk()->passes(kN), 1);
  EXPECT_FALSE(plan.on_device->streamed);
  EXPECT_LE(plan.on_device->bytes, options.machine.device_memory);
  options.machine.device_ordinals = {0};
  const Plan one = find_plan(graph(), options, two_devices);
  EXPECT_FALSE(one.on_disk()->stays);
  EXPECT_GT(one.predicted.solve, plan.predicted.solve);
}

TEST(DiskChoice, SeveralGpusAreTakenUnaskedWhereThatIsFaster) {
  constexpr std::int64_t kMany = 30'000, kMatrix = kMany * kMany * 4;
  const Graph large = random_graph({.n = kMany, .arcs = 4 * kMany, .greatest = 9});
  SolveOptions options = with_output();
  options.method.value_type = ValueType::i32;
  options.machine.memory = kMatrix / 3;
  options.storage.disk = 5 * kMatrix;
  options.machine.device_memory = kMatrix * 2 / 3;
  RateSource rates;
  rates.transfers = [](const RateQuery&) {
    return TransferRates{1e10, 2e9, 2e9, "2026-11-26T10:00:00Z"};
  };
  const Plan plan = find_plan(large, options, two_devices, rates);
  ASSERT_TRUE(plan.on_disk() && plan.on_device);
  EXPECT_EQ(plan.on_device->devices(), 2);
  std::vector<std::string> ways;
  for (const CandidateReport& report : plan.candidates) {
    if (report.residence == "disk") ways.push_back(report.place);
  }
  EXPECT_THAT(ways, Contains("NVIDIA H200 (cuda:0)")) << "one of them is told too";
}

TEST(DiskChoice, NothingPassesThroughSeveralGpus) {
  SolveOptions options = with_two_gpus();
  options.machine.device_memory = 60 * kMiB;
  const Plan plan = find_plan(graph(), options, two_devices);
  EXPECT_FALSE(plan.fits());
  EXPECT_ERROR(does_not_fit, make_plan(graph(), options, two_devices));
  options.machine.device_ordinals = {0};
  EXPECT_FALSE(find_plan(graph(), options, two_devices).on_disk()->stays);
}

TEST(DiskChoice, SeveralGpusContinueIntegersButNoRoundedSumsThatHavePassed) {
  const Graph problem = graph();
  SolveOptions options = with_two_gpus();
  const Plan plan = find_plan(problem, options, two_devices);
  const DiskSteps steps{192, 576, 2304, 2304};
  const Plan continued = again(problem, options, plan, steps, two_devices);
  EXPECT_EQ(continued.on_disk()->devices, 2);
  EXPECT_EQ(continued.on_disk()->band, 576);
  Plan rounded = plan;
  rounded.unit_roundoff = 0x1p-24;
  EXPECT_ERROR(usage, again(problem, options, rounded, steps, two_devices));
  options.machine.device = Device::automatic;
  options.machine.device_ordinals.clear();
  const Plan by_one = again(problem, options, rounded, steps, two_devices);
  EXPECT_EQ(by_one.on_device->devices(), 1);
  EXPECT_EQ(by_one.on_disk()->width, steps.width);
}

TEST(DiskChoice, AGpuContinuesBandsOfWholeGranules) {
  const Graph problem = graph();
  SolveOptions options = with_gpu();
  const Plan plan = plan_with_gpu(options);
  const Plan whole = again(problem, options, plan, {192, 576, 2304}, one_device);
  ASSERT_TRUE(whole.on_device && whole.on_disk());
  EXPECT_EQ(whole.on_disk()->band, 576);
  EXPECT_EQ(whole.on_disk()->width % 576, 0);
  const DiskSteps odd{6, 510, 2040};
  EXPECT_ERROR(usage, again(problem, options, plan, odd, one_device));
  options.machine.device = Device::automatic;
  EXPECT_FALSE(again(problem, options, plan, odd, one_device).on_device);
  Plan rounded = plan;
  rounded.unit_roundoff = 0x1p-24;
  EXPECT_EQ(again(problem, options, rounded, {512, 1024, 2048}, one_device).on_disk()->width, 2048);
}

TEST(DiskChoice, AGpuTooSmallToContinueSaysWhoCan) {
  const Graph problem = graph();
  SolveOptions options = with_gpu();
  Plan plan = plan_with_gpu(options);
  plan.on_device->bytes_allowed = kMiB;
  const DiskSteps steps{192, 576, 2304};
  EXPECT_ERROR(does_not_fit, again(problem, options, plan, steps, one_device));
  Plan rounded = plan;
  rounded.unit_roundoff = 0x1p-24;
  EXPECT_ERROR(does_not_fit, again(problem, options, rounded, {512, 1024, 2048}, one_device));
  options.machine.device = Device::automatic;
  EXPECT_FALSE(again(problem, options, plan, steps, one_device).on_device);
}

TEST(DiskChoice, TheHostContinuesBandsThatAreNoTilesOfIts) {
  const Graph problem = graph();
  const SolveOptions options = with_output();
  const Plan plan = again(problem, options, plan_of(options), {512, 576, 2304});
  EXPECT_EQ(plan.on_disk()->band % plan.on_disk()->tile, 0);
}

TEST(DiskModel, ReadsAndWritesOnceWhereRowsStay) {
  dense::DiskPlan plan{512, 1000, 5000, 512, 0};
  plan.stays = true;
  const TransferRates rates{.disk_write_bytes_per_second = 1e6, .disk_read_bytes_per_second = 2e6};
  // 100 s out, 50 s in; two blocks of rows.
  EXPECT_DOUBLE_EQ(steps_on_disk(plan, 10'000, 1, 0, rates), 50 + 100);
  // The second block comes under work on the first one, and leaves under more.
  EXPECT_DOUBLE_EQ(steps_on_disk(plan, 10'000, 1, 160, rates), 25 + 40 + 80 + 100);
  plan.stays = false;
  EXPECT_DOUBLE_EQ(steps_on_disk(plan, 10'000, 1, 160, rates), 2 * (20 + 150));
}

TEST(DiskModel, CountsFillingStepsAndReading) {
  const dense::DiskPlan plan{100, 1000, 2500, 100, 0};
  const TransferRates rates{.disk_write_bytes_per_second = 1e6, .disk_read_bytes_per_second = 2e6};
  // 1e8 bytes a generation: 100 s out, 50 s in; four steps.
  EXPECT_DOUBLE_EQ(predict_on_disk(plan, 10'000, 1, 0, rates), 100 + 4 * 150 + 50);
  EXPECT_DOUBLE_EQ(predict_on_disk(plan, 10'000, 1, 5000, rates), 100 + 5000 + 50);
}

}  // namespace
}  // namespace apsp::planner::dense_candidates_test
