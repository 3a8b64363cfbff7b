#include "dense/streamed_disk_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/strict/strict_device.hpp"

namespace apsp::dense {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kGiB = std::int64_t{1} << 30;

DiskPlan plan_of(std::int64_t n, std::int64_t memory, std::int64_t device_memory) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::f32);
  const DiskPlan plan = plan_streamed_disk(
      {.n = n, .value_size = 4, .tile = 512, .memory = memory, .device_memory = device_memory},
      *sizes);
  EXPECT_TRUE(plan.band % plan.tile == 0 || plan.band < plan.tile);
  EXPECT_EQ(plan.width % plan.band, 0);
  EXPECT_EQ(plan.bytes, plan.buffers * part_values(plan, n) * 4);
  return plan;
}

TEST(StreamedDiskPlan, AMatrixThatFitsTheDeviceStaysInBlocksOfASixteenth) {
  const DiskPlan plan = plan_of(65'536, 4 * kGiB, 76 * kGiB);
  EXPECT_TRUE(plan.stays);
  EXPECT_EQ(plan.steps(65'536), 16);
  EXPECT_EQ(plan.passes(65'536), 1);
  EXPECT_LE(plan.bytes, 4 * kGiB);
  EXPECT_LE(plan.device_bytes, 76 * kGiB);
  const DiskPlan smaller = plan_of(32'768, kGiB, 76 * kGiB);
  EXPECT_TRUE(smaller.stays);
  EXPECT_EQ(smaller.steps(32'768), 16);
  EXPECT_LE(smaller.bytes, kGiB);
}

TEST(StreamedDiskPlan, NarrowBlocksLetALargerMatrixStay) {
  constexpr std::int64_t kN = 100'000, kMatrix = kN * kN * 4;
  const DiskPlan plan = plan_of(kN, 4 * kGiB, kMatrix + kMatrix / 25);
  EXPECT_TRUE(plan.stays);
  EXPECT_GT(plan.steps(kN), 16);
  EXPECT_FALSE(plan_of(kN, 4 * kGiB, kMatrix).stays);
}

TEST(StreamedDiskPlan, ALargerOnePassesAsSeldomAsMemoryAllows) {
  constexpr std::int64_t kN = 262'144;
  std::int64_t passes = kN;
  for (const std::int64_t there : {16 * kGiB, 40 * kGiB, 76 * kGiB, 135 * kGiB}) {
    const DiskPlan plan = plan_of(kN, 32 * kGiB, there);
    EXPECT_FALSE(plan.stays);
    EXPECT_LE(plan.device_bytes, there);
    EXPECT_LT(plan.passes(kN), passes);
    passes = plan.passes(kN);
    // Closed tiles and parts take the remainder, and steps are all as wide.
    EXPECT_GE(plan.width * kN * 4, there / 3);
  }
}

TEST(StreamedDiskPlan, LittleMemoryOfTheHostTakesShortParts) {
  for (const std::int64_t memory : {64 * kMiB, 256 * kMiB, 2 * kGiB}) {
    const DiskPlan plan = plan_of(65'536, memory, 76 * kGiB);
    EXPECT_LE(plan.bytes, memory);
    EXPECT_TRUE(plan.stays);
  }
}

TEST(StreamedDiskPlan, WhereNothingFitsItSaysWhatTheLeastIs) {
  const DiskPlan plan = plan_of(65'536, kMiB, 76 * kGiB);
  EXPECT_GT(plan.bytes, kMiB);
  EXPECT_EQ(plan_of(65'536, plan.bytes, 76 * kGiB).bytes, plan.bytes);
  const DiskPlan there = plan_of(65'536, kGiB, kMiB);
  EXPECT_LE(there.bytes, kGiB);
  EXPECT_GT(there.device_bytes, kMiB);
  EXPECT_LE(plan_of(65'536, kGiB, there.device_bytes).device_bytes, there.device_bytes);
}

TEST(StreamedDiskPlan, SeveralDevicesHoldAboutTheSame) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::f32);
  for (const std::int64_t n : {65'536, 100'000, 180'000}) {
    for (const int devices : {2, 3, 4, 8}) {
      const std::int64_t share = n * n * 4 / devices;
      const DiskPlan plan = plan_streamed_disk({.n = n,
                                                .value_size = 4,
                                                .tile = 512,
                                                .memory = 8 * kGiB,
                                                .device_memory = share + share / 8,
                                                .devices = devices},
                                               *sizes);
      SCOPED_TRACE(testing::Message() << n << " vertices, " << devices << " devices");
      EXPECT_TRUE(plan.stays);
      EXPECT_EQ(plan.devices, devices);
      EXPECT_EQ(plan.passes(n), 1);
      EXPECT_GE(plan.steps(n), 13);
      EXPECT_LE(plan.steps(n), 64);
      EXPECT_LE(plan.device_bytes, share + share / 8);
      EXPECT_LE(plan.bytes, 8 * kGiB);
      EXPECT_LT(plan.share_of_device(n), 1.05 / devices);
      EXPECT_GE(plan.share_of_device(n), 1.0 / devices);
    }
  }
}

TEST(StreamedDiskPlan, OfAFewVertices) {
  for (const std::int64_t n : {0, 1, 511, 512, 513, 1500}) {
    const DiskPlan plan = plan_of(n, kGiB, kGiB);
    EXPECT_GE(plan.width, plan.band) << n;
    EXPECT_LE(plan.device_bytes, kGiB) << n;
  }
}

TEST(StreamedDiskPlan, KeepsBandAndWidthOfARunThatWasBegun) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::f32);
  const StreamedDiskProblem problem{.n = 20'000,
                                    .value_size = 4,
                                    .tile = 512,
                                    .memory = kGiB,
                                    .device_memory = 8 * kGiB,
                                    .band = 1152,
                                    .width = 3456};
  const DiskPlan plan = plan_streamed_disk(problem, *sizes);
  EXPECT_FALSE(plan.stays) << "values of steps that pass are rounded otherwise";
  EXPECT_EQ(plan.band, 1152);
  EXPECT_EQ(plan.width, 3456);
}

}  // namespace
}  // namespace apsp::dense
