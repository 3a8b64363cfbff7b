// What is planned for matrices that do not fit: sizes that hold what they promise, and seconds that
// follow the model.
#include "places/offload_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include "places/device_memory.hpp"
#include "support/error_of.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::places {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
/// One H200.
constexpr OffloadRates kRates{.relaxations = 15.5e12, .in = 55e9, .out = 55e9, .both = 84e9};

class OffloadPlanTest : public testing::Test {
 protected:
  OffloadPlan plan(std::int64_t n, std::int64_t memory, bool via = false) const {
    return plan_offload({n, 4, via, 512, memory}, kRates, *device_);
  }
  /// Seconds of work alone over predicted seconds.
  double efficiency(std::int64_t n, std::int64_t memory) const {
    const OffloadPlan p = plan(n, memory);
    return p.work / p.seconds;
  }
  std::unique_ptr<kernels::ComputeDevice> device_ =
      kernels::strict::make_device(Semiring::min_plus, ValueType::f32, 0);
};

TEST_F(OffloadPlanTest, StaysWithinTheMemory) {
  for (const std::int64_t n : {1000, 4096, 65536}) {
    for (std::int64_t memory = 1 << 20; memory < 40 * kGiB; memory *= 2) {
      if (memory < least_offload_bytes({n, 4, false, 512, 0}, *device_)) continue;
      const OffloadPlan p = plan(n, memory);
      EXPECT_LE(p.device_bytes, memory);
      EXPECT_GT(p.width, 0);
      EXPECT_EQ(p.width % device_->granule(), 0);
      EXPECT_EQ(p.strip_rows % device_->granule(), 0);
      EXPECT_TRUE(p.resident_rows == n || p.resident_rows % p.width == 0);
      EXPECT_EQ(p.buffers == 0, p.resident_rows == n);
      EXPECT_GE(p.seconds, std::max(p.work, p.copies));
    }
  }
}

TEST_F(OffloadPlanTest, SizesThatAreGivenAreTaken) {
  const OffloadProblem problem{4096, 4, false, 512, kGiB};
  const OffloadPlan p = streamed_plan(problem, *device_, 256, 128, 3);
  EXPECT_EQ(p.width, 256);
  EXPECT_EQ(p.strip_rows, 128);
  EXPECT_EQ(p.buffers, 3);
  EXPECT_EQ(p.resident_rows, 0);
  EXPECT_GE(p.buffer_values, 128 * 4096);
  EXPECT_GE(p.device_bytes, 3 * p.buffer_values * 4);
}

TEST_F(OffloadPlanTest, SizesThatDoNotFitAreRefused) {
  const OffloadProblem problem{4096, 4, false, 512, 1 << 20};
  const Error error = error_of([&] { streamed_plan(problem, *device_, 256, 128, 3); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  EXPECT_THAT(error.what(), testing::HasSubstr("3 buffers of 128 rows"));
}

TEST_F(OffloadPlanTest, MoreMemoryNeverCosts) {
  double before = 1e300;
  for (std::int64_t memory = kGiB / 2; memory < 24 * kGiB; memory += kGiB / 2) {
    const double seconds = plan(65536, memory).seconds;
    EXPECT_LE(seconds, 1.001 * before) << memory;
    before = seconds;
  }
}

TEST_F(OffloadPlanTest, PanelsAreWideEnoughToHideCopies) {
  // Eq. 5: 15.5e12 · 2 · 4 bytes / 84e9 bytes, less what resides.
  const OffloadPlan p = plan(65536, 4 * kGiB);
  const double streamed = 1 - static_cast<double>(p.resident_rows) / 65536;
  EXPECT_GE(static_cast<double>(p.width), 15.5e12 * 2 * 4 / 84e9 * streamed);
}

TEST_F(OffloadPlanTest, AQuarterOfTheMatrixIsEnoughOnAnH200) {
  EXPECT_GE(efficiency(65536, 4 * kGiB), 0.93);
  EXPECT_GE(efficiency(65536, 2 * kGiB), 0.85);
  EXPECT_GE(efficiency(65536, 20 * kGiB), 0.96) << "all of it resides";
}

TEST_F(OffloadPlanTest, ViaTakesMemoryAndTraffic) {
  const OffloadPlan without = plan(65536, 4 * kGiB), with = plan(65536, 4 * kGiB, true);
  EXPECT_LE(with.device_bytes, 4 * kGiB);
  EXPECT_GT(with.seconds, without.seconds);
  EXPECT_GT(with.copies, without.copies);
}

TEST_F(OffloadPlanTest, ASymmetricMatrixTakesHalfTheWorkAndTheTraffic) {
  for (const std::int64_t memory : {kGiB, 4 * kGiB, 12 * kGiB}) {
    const OffloadPlan full = plan(65536, memory);
    const OffloadPlan half =
        plan_offload({65536, 4, false, 512, memory, Shape::symmetric}, kRates, *device_);
    EXPECT_LE(half.device_bytes, memory);
    EXPECT_NEAR(half.work / full.work, 0.5, 0.03);
    EXPECT_NEAR(half.seconds / full.seconds, 0.5, 0.05) << memory;
  }
}

TEST_F(OffloadPlanTest, TooLittleMemorySaysWhatWouldDo) {
  const OffloadProblem problem{65536, 4, false, 512, 0};
  const std::int64_t least = least_offload_bytes(problem, *device_);
  EXPECT_NO_THROW(plan(65536, least));
  const Error error = error_of([&] { plan(65536, least - 1); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  EXPECT_THAT(error.what(), testing::HasSubstr("65536 vertices needs at least"));
}

}  // namespace
}  // namespace apsp::places
