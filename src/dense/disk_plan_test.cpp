#include "dense/disk_plan.hpp"

#include <gtest/gtest.h>

#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::dense {
namespace {

kernels::TileOperations operations() {
  return kernels::cpu::operations(Semiring::min_plus, ValueType::u16, kernels::Sign::non_negative);
}

DiskProblem problem_of(std::int64_t n, std::int64_t memory) {
  return {.n = n, .tile = 192, .memory = memory, .threads = 2};
}

TEST(DiskPlan, TakesWhatMemoryThereIs) {
  constexpr std::int64_t kN = 50'000, kMatrix = kN * kN * 2;
  std::int64_t steps = kN;
  for (std::int64_t memory = kMatrix / 20; memory < kMatrix; memory += kMatrix / 20) {
    const DiskPlan plan = plan_disk(problem_of(kN, memory), operations());
    EXPECT_LE(plan.bytes, memory);
    EXPECT_EQ(plan.bytes, disk_plan_bytes(plan, kN, operations()));
    EXPECT_EQ(plan.band % plan.tile, 0);
    EXPECT_EQ(plan.width % plan.band, 0);
    EXPECT_LE(plan.steps(kN), steps) << "more memory, no more steps";
    EXPECT_GE(plan.steps(kN), 4);
    steps = plan.steps(kN);
  }
  EXPECT_EQ(steps, 4);
}

TEST(DiskPlan, WhereNothingFitsItSaysWhatTheLeastIs) {
  const DiskPlan plan = plan_disk(problem_of(50'000, 1 << 20), operations());
  EXPECT_GT(plan.bytes, 1 << 20);
  EXPECT_EQ(plan.width, plan.tile);
  const DiskPlan least = plan_disk(problem_of(50'000, plan.bytes), operations());
  EXPECT_EQ(least.bytes, plan.bytes);
}

TEST(DiskPlan, OfAFewVertices) {
  for (const std::int64_t n : {0, 1, 191, 192, 193, 1000}) {
    const DiskPlan plan = plan_disk(problem_of(n, 1 << 30), operations());
    EXPECT_GE(plan.band, plan.tile) << n;
    EXPECT_GE(plan.width, plan.band) << n;
    EXPECT_LE(plan.bytes, 1 << 30) << n;
  }
}

TEST(DiskPlan, OfAWidthThatARunHasBegunWith) {
  const DiskProblem problem = problem_of(20'000, 1 << 30);
  const DiskPlan plan = plan_disk(problem, operations());
  const DiskPlan other = with_width(plan, plan.band, problem, operations());
  EXPECT_EQ(other.width, plan.band);
  EXPECT_LT(other.bytes, plan.bytes);
}

}  // namespace
}  // namespace apsp::dense
