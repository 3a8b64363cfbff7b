#include "cluster/process_device.hpp"

#include "support/grid_solve.hpp"
#include "support/invented_devices.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::cluster::process_device_test {
namespace {

using planner::invented_devices;
using planner::invented_h200;
using planner::no_device;

planner::DeviceProblem problem(std::int64_t n) {
  return {.n = n,
          .kernel = {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative, false},
          .distance_bound = 1e6,
          .threads = 4};
}

constexpr auto two_devices = planner::several_devices<2>;

planner::DevicePreference preference(Device device, std::vector<int> ordinals = {}) {
  return {device, std::move(ordinals)};
}

TEST(ProcessDevice, ProcessesOfAMachineTakeItsGpusInTurn) {
  const int expected[] = {0, 1, 0, 1, 0};
  for (int i = 0; i < 5; ++i) {
    const ProcessPlace place{5, 1, i, 5};
    const planner::DeviceChoice choice =
        choose_process_device(problem(30000), preference(Device::cuda), place, two_devices);
    ASSERT_TRUE(choice.cuda);
    EXPECT_EQ(choice.cuda->device.ordinal, expected[i]);
    EXPECT_EQ(choice.cuda->processes, 5);
    const double sharing = expected[i] == 0 ? 3 : 2;
    EXPECT_NEAR(static_cast<double>(choice.cuda->bytes_allowed),
                0.95 * 136 * planner::kGiB / sharing, 1e6);
  }
}

TEST(ProcessDevice, TakesThoseThatAreNamed) {
  for (const int i : {0, 1}) {
    const ProcessPlace place{2, 1, i, 2};
    EXPECT_EQ(
        choose_process_device(problem(30000), preference(Device::cuda, {1, 0}), place, two_devices)
            .cuda->device.ordinal,
        1 - i);
    EXPECT_EQ(
        choose_process_device(problem(30000), preference(Device::cuda, {1}), place, two_devices)
            .cuda->device.ordinal,
        1);
  }
}

TEST(ProcessDevice, AutoTakesThemWhereTheyPay) {
  const ProcessPlace place{2, 1, 1, 2};
  const planner::DeviceChoice large =
      choose_process_device(problem(60000), preference(Device::automatic), place, two_devices);
  ASSERT_TRUE(large.cuda) << large.why;
  EXPECT_EQ(large.cuda->device.ordinal, 1);
  const planner::DeviceChoice small =
      choose_process_device(problem(500), preference(Device::automatic), place, two_devices);
  EXPECT_FALSE(small.cuda);
  EXPECT_EQ(small.why, "too small for a GPU to pay");
  const planner::DeviceChoice none =
      choose_process_device(problem(60000), preference(Device::automatic), place, no_device);
  EXPECT_FALSE(none.cuda);
  EXPECT_NE(none.why.find("no CUDA device"), std::string::npos) << none.why;
  EXPECT_FALSE(
      choose_process_device(problem(60000), preference(Device::cpu), place, two_devices).cuda);
}

TEST(ProcessDevice, APartThatDoesNotFitStreams) {
  planner::DeviceProblem large = problem(60000);
  large.memory = planner::kGiB;
  ProcessPlace place{2, 1, 0, 2};
  for (const Device device : {Device::cuda, Device::automatic}) {
    const planner::DeviceChoice choice =
        choose_process_device(large, preference(device), place, two_devices);
    ASSERT_TRUE(choice.cuda) << choice.why;
    EXPECT_TRUE(choice.cuda->streamed);
    EXPECT_LE(choice.cuda->bytes, planner::kGiB);
    EXPECT_EQ(choice.cuda->tile, choice.cuda->offload.width);
    EXPECT_EQ(choice.cuda->shape, dense::Shape::full);
  }
  planner::DeviceProblem small = problem(30000);
  const auto plan = [&] {
    return *choose_process_device(small, preference(Device::cuda), place, two_devices).cuda;
  };
  EXPECT_FALSE(plan().streamed);
  place.streams = true;
  EXPECT_TRUE(plan().streamed) << "another process's part does not fit";
  small.tile = 1000;
  EXPECT_EQ(plan().tile, 1000) << "as asked for";
}

TEST(ProcessDevice, APartThatCannotStreamIsRefusedByName) {
  const ProcessPlace place{2, 1, 1, 2};
  for (const Semiring semiring : {Semiring::min_plus, Semiring::or_and}) {
    planner::DeviceProblem large = problem(60000);
    if (semiring == Semiring::or_and) {
      large.kernel = {semiring, ValueType::boolean, kernels::Sign::non_negative, false};
    }
    large.memory = 1 << 20;
    EXPECT_ERROR(does_not_fit,
                 choose_process_device(large, preference(Device::cuda), place, two_devices));
    EXPECT_FALSE(
        choose_process_device(large, preference(Device::automatic), place, two_devices).cuda);
  }
}

TEST(ProcessDevice, MoreProcessesTakeLessOfEach) {
  std::int64_t before = INT64_MAX;
  for (const int side : {1, 2, 3, 4}) {
    const ProcessPlace place{side, side, 0, 1};
    const planner::DeviceChoice choice =
        choose_process_device(problem(30000), preference(Device::cuda), place, two_devices);
    EXPECT_LT(choice.cuda->bytes, before);
    before = choice.cuda->bytes;
  }
}

constexpr dense::OffloadRates kRates{1e12, 1e10, 1e10, 1.5e10};

TEST(StreamedPart, TakesTheBytesThatThePlanSays) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}}) {
    for (const std::int64_t memory : {50000, 90000, 200000}) {
      SmallProblem problem(150, 8, false);
      const OffloadGrid grid{.problem = {.n = 150, .value_size = 4, .device_memory = memory},
                             .rows = rows,
                             .columns = cols};
      const dense::OffloadPlan plan = plan_streamed_part(grid, kRates, *sizes);
      EXPECT_LE(plan.device_bytes, memory);
      std::int64_t bytes = plan.device_bytes;
      const GridRun run{.rows = rows,
                        .cols = cols,
                        .make =
                            [&] {
                              return kernels::strict::make_device(Semiring::min_plus,
                                                                  ValueType::i32, bytes);
                            },
                        .offload = plan,
                        .spends_memory = true};
      EXPECT_EQ(solve_on_grid(run, problem.values()), -1);
      problem.expect_solved();
      --bytes;
      EXPECT_ANY_THROW(solve_on_grid(run, problem.values()));
    }
  }
}

TEST(StreamedPart, PlansWiderPanelsWhereCopiesAreSlow) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  OffloadGrid grid{.problem = {.n = 4000, .value_size = 4, .device_memory = 8 << 20}};
  const auto width = [&](double copied, int side) {
    grid.rows = grid.columns = side;
    const dense::OffloadPlan plan =
        plan_streamed_part(grid, {1e12, copied, copied, 1.5 * copied}, *sizes);
    EXPECT_LE(plan.device_bytes, 8 << 20);
    return plan.width;
  };
  EXPECT_LT(width(1e12, 2), width(1e10, 2));
  EXPECT_LE(width(1e10, 1), width(1e10, 2)) << "parts of more processes leave more memory";
  grid.width = 64;
  EXPECT_EQ(width(1e10, 2), 64) << "as asked for";
  grid.problem.device_memory = 100;
  EXPECT_ERROR(does_not_fit, plan_streamed_part(grid, kRates, *sizes));
}

}  // namespace
}  // namespace apsp::cluster::process_device_test
