#include "dense/disk_plan.hpp"

#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::dense::disk_plan_test {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kHostTile = 192;

/// u16, solved by the host's threads.
DiskPlan host_plan(std::int64_t n, std::int64_t memory, std::int64_t width = 0) {
  const auto host = kernels::host::make_device(
      kernels::cpu::operations(Semiring::min_plus, ValueType::u16, kernels::Sign::non_negative), {},
      kHostTile, 1);
  const DiskPlan plan = plan_disk(
      {.n = n, .value_size = 2, .tile = kHostTile, .memory = memory, .threads = 2, .width = width},
      host->tiles());
  EXPECT_EQ(plan.band % plan.tile, 0);
  EXPECT_EQ(plan.width % plan.band, 0);
  EXPECT_EQ(plan.device_bytes, 0);
  return plan;
}

/// f32, through devices.
DiskPlan device_plan(DiskProblem problem) {
  problem.value_size = 4;
  problem.tile = 512;
  problem.devices = std::max(1, problem.devices);
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::f32);
  const DiskPlan plan = plan_disk(problem, *sizes);
  EXPECT_TRUE(plan.band % plan.tile == 0 || plan.band < plan.tile || problem.band > 0);
  EXPECT_EQ(plan.width % plan.band, 0);
  EXPECT_EQ(plan.bytes, problem.devices * plan.buffers * part_values(plan, problem.n) * 4);
  return plan;
}
DiskPlan device_plan(std::int64_t n, std::int64_t memory, std::int64_t device_memory) {
  return device_plan({.n = n, .memory = memory, .device_memory = device_memory});
}

TEST(DiskPlan, TheHostTakesAllMemoryForWideSteps) {
  constexpr std::int64_t kN = 50'000, kMatrix = kN * kN * 2;
  std::int64_t steps = kN;
  for (std::int64_t memory = kMatrix / 20; memory < kMatrix; memory += kMatrix / 20) {
    const DiskPlan plan = host_plan(kN, memory);
    EXPECT_LE(plan.bytes, memory);
    EXPECT_LE(plan.steps(kN), steps) << "more memory, no more steps";
    EXPECT_GE(plan.steps(kN), 4);
    steps = plan.steps(kN);
  }
  EXPECT_EQ(steps, 4);
}

TEST(DiskPlan, WhereNothingFitsItIsTheLeast) {
  const DiskPlan host = host_plan(50'000, kMiB);
  EXPECT_GT(host.bytes, kMiB);
  EXPECT_EQ(host.width, host.tile);
  EXPECT_EQ(host_plan(50'000, host.bytes).bytes, host.bytes);

  const DiskPlan plan = device_plan(65'536, kMiB, 76 * kGiB);
  EXPECT_GT(plan.bytes, kMiB);
  EXPECT_EQ(device_plan(65'536, plan.bytes, 76 * kGiB).bytes, plan.bytes);
  const DiskPlan there = device_plan(65'536, kGiB, kMiB);
  EXPECT_LE(there.bytes, kGiB);
  EXPECT_GT(there.device_bytes, kMiB);
  EXPECT_LE(device_plan(65'536, kGiB, there.device_bytes).device_bytes, there.device_bytes);
}

TEST(DiskPlan, OfAFewVertices) {
  for (const std::int64_t n : {0, 1, 191, 192, 193, 511, 512, 513, 1000, 1500}) {
    const DiskPlan host = host_plan(n, kGiB), there = device_plan(n, kGiB, kGiB);
    EXPECT_GE(host.band, host.tile) << n;
    EXPECT_GE(host.width, host.band) << n;
    EXPECT_LE(host.bytes, kGiB) << n;
    EXPECT_GE(there.width, there.band) << n;
    EXPECT_LE(there.device_bytes, kGiB) << n;
  }
}

TEST(DiskPlan, KeepsBandAndWidthOfARunThatWasBegun) {
  const DiskPlan plan = host_plan(20'000, kGiB), other = host_plan(20'000, kGiB, plan.band);
  EXPECT_EQ(other.width, plan.band);
  EXPECT_LT(other.bytes, plan.bytes);
  const DiskPlan there = device_plan(
      {.n = 20'000, .memory = kGiB, .device_memory = 8 * kGiB, .band = 1152, .width = 3456});
  EXPECT_FALSE(there.stays) << "values of steps that pass are rounded otherwise";
  EXPECT_EQ(there.band, 1152);
  EXPECT_EQ(there.width, 3456);
}

TEST(DiskPlan, AMatrixThatFitsTheDeviceStaysInBlocksOfASixteenth) {
  for (const auto& [n, memory] : {std::pair{65'536, 4 * kGiB}, {32'768, kGiB}}) {
    const DiskPlan plan = device_plan(n, memory, 76 * kGiB);
    EXPECT_TRUE(plan.stays);
    EXPECT_EQ(plan.steps(n), 16);
    EXPECT_EQ(plan.passes(n), 1);
    EXPECT_LE(plan.bytes, memory);
    EXPECT_LE(plan.device_bytes, 76 * kGiB);
  }
  constexpr std::int64_t kN = 100'000, kMatrix = kN * kN * 4;
  const DiskPlan narrow = device_plan(kN, 4 * kGiB, kMatrix + kMatrix / 25);
  EXPECT_TRUE(narrow.stays);
  EXPECT_GT(narrow.steps(kN), 16) << "narrow blocks let a larger matrix stay";
  EXPECT_FALSE(device_plan(kN, 4 * kGiB, kMatrix).stays);
}

TEST(DiskPlan, ALargerOnePassesAsSeldomAsMemoryAllows) {
  constexpr std::int64_t kN = 262'144;
  std::int64_t passes = kN;
  for (const std::int64_t there : {16 * kGiB, 40 * kGiB, 76 * kGiB, 135 * kGiB}) {
    const DiskPlan plan = device_plan(kN, 32 * kGiB, there);
    EXPECT_FALSE(plan.stays);
    EXPECT_LE(plan.device_bytes, there);
    EXPECT_LT(plan.passes(kN), passes);
    passes = plan.passes(kN);
    // Closed tiles and parts take the remainder, and steps are all as wide.
    EXPECT_GE(plan.width * kN * 4, there / 3);
  }
}

TEST(DiskPlan, LittleMemoryOfTheHostTakesShortParts) {
  for (const std::int64_t memory : {64 * kMiB, 256 * kMiB, 2 * kGiB}) {
    const DiskPlan plan = device_plan(65'536, memory, 76 * kGiB);
    EXPECT_LE(plan.bytes, memory);
    EXPECT_TRUE(plan.stays);
  }
}

TEST(DiskPlan, SeveralDevicesHoldAboutTheSame) {
  for (const std::int64_t n : {65'536, 100'000, 180'000}) {
    for (const int devices : {2, 3, 4, 8}) {
      const std::int64_t share = n * n * 4 / devices, there = share + share / 8;
      const DiskPlan plan =
          device_plan({.n = n, .memory = 8 * kGiB, .device_memory = there, .devices = devices});
      SCOPED_TRACE(testing::Message() << n << " vertices, " << devices << " devices");
      EXPECT_TRUE(plan.stays);
      EXPECT_EQ(plan.devices, devices);
      EXPECT_EQ(plan.passes(n), 1);
      EXPECT_GE(plan.steps(n), 13);
      EXPECT_LE(plan.steps(n), 64);
      EXPECT_LE(plan.device_bytes, there);
      EXPECT_LE(plan.bytes, 8 * kGiB);
      EXPECT_LT(plan.share_of_device(n), 1.05 / devices);
      EXPECT_GE(plan.share_of_device(n), 1.0 / devices);
    }
  }
}

}  // namespace
}  // namespace apsp::dense::disk_plan_test
