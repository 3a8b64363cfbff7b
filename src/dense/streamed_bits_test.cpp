// Reachability in bits through strict devices of very little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "dense/peer_memory.hpp"
#include "dense/streamed_memory.hpp"
#include "support/bit_problem.hpp"
#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::dense {
namespace {

using kernels::Cycles;

/// Copies take about as long as work, so that plans differ from cap to cap.
constexpr OffloadRates kRates{.relaxations = 1e11, .in = 1e8, .out = 1e8, .both = 1.6e8};
constexpr std::int64_t kMargin = 3;  // words behind each row of the host's

OffloadProblem problem_of(std::int64_t n, std::int64_t memory, int devices = 1) {
  return {.n = n,
          .value_size = 4,
          .tile = 128,
          .device_memory = memory,
          .devices = devices,
          .columns_per_value = 32};
}

/// Solves with exactly the memory of the plan, on each of so many devices.
void expect_solved(std::int64_t n, const OffloadPlan& plan, std::size_t count = 1) {
  SCOPED_TRACE(testing::Message() << "n " << n << ", width " << plan.width << ", resident "
                                  << plan.resident_rows << ", " << plan.buffers << " buffers of "
                                  << plan.strip_rows << " rows, devices " << count);
  BitProblem problem(n, kMargin);
  std::vector<std::unique_ptr<kernels::ComputeDevice>> devices;
  std::vector<kernels::ComputeDevice*> all;
  while (all.size() < count) {
    all.push_back(devices.emplace_back(kernels::strict::make_bit_device(plan.device_bytes)).get());
  }
  const Control control;
  if (count == 1) {
    StreamedMemory(*all.front(), plan, problem.values(), Cycles::excluded, control).run();
  } else {
    StreamedPeers(all, plan, problem.values(), Cycles::excluded, control).run();
  }
  ASSERT_TRUE(problem.solved());
  for (const auto* device : all) {
    EXPECT_EQ(device->memory_free(), plan.device_bytes) << "everything is given back";
  }
}

TEST(StreamedBits, SolvesFromTheLeastMemoryToAllOfIt) {
  const auto sizes = kernels::strict::bit_sizes();
  for (const std::int64_t n : {1, 31, 33, 127, 128, 129, 160, 255, 257, 513}) {
    std::set<std::int64_t> residents;
    std::int64_t memory = least_offload_bytes(problem_of(n, 0), *sizes);
    for (; !residents.contains(n) && memory < (16 << 20); memory += memory / 5) {
      const OffloadPlan plan = plan_offload(problem_of(n, memory), kRates, *sizes);
      EXPECT_LE(plan.device_bytes, memory);
      expect_solved(n, plan);
      residents.insert(plan.resident_rows);
    }
    EXPECT_TRUE(residents.contains(n)) << "n " << n;
    // Packed by these devices a bit takes a word, so that panels take all that bits leave.
    if (n == 513) {
      EXPECT_TRUE(residents.contains(0)) << "none stay where memory is short";
    }
  }
}

/// Of rows that stay too.
TEST(StreamedBits, SolvesByAnyPlan) {
  const auto sizes = kernels::strict::bit_sizes();
  for (const std::int64_t n : {300, 416}) {
    for (const std::int64_t width : {128, 256, 384}) {
      for (const std::int64_t strip : {128, 256}) {
        for (const std::int64_t buffers : {1, 2, 3, 20}) {
          for (const std::int64_t tiles_there : {0, 1, 2}) {
            OffloadPlan plan{width, std::min(tiles_there * width, n), buffers, strip};
            if (plan.resident_rows >= n) continue;
            const auto stride = [&](std::int64_t columns) { return sizes->stride(columns / 32); };
            plan.buffer_values =
                std::max(strip * stride(n + 31), width * stride(128)) + 128 * stride(width);
            plan.device_bytes = 8 << 20;
            expect_solved(n, plan);
          }
        }
      }
    }
  }
}

TEST(StreamedBits, SolvesThroughSeveralDevices) {
  const auto sizes = kernels::strict::bit_sizes();
  for (const int devices : {2, 3}) {
    for (const std::int64_t n : {129, 257, 513}) {
      const std::int64_t least = least_offload_bytes(problem_of(n, 0, devices), *sizes);
      for (const std::int64_t memory : {least, 2 * least}) {
        const OffloadPlan plan = plan_offload(problem_of(n, memory, devices), kRates, *sizes);
        EXPECT_EQ(plan.resident_rows, 0);
        expect_solved(n, plan, static_cast<std::size_t>(devices));
      }
    }
  }
}

TEST(StreamedBits, LowStripsAreWorthLessThanTheirShare) {
  class TallProducts final : public kernels::DeviceSizes {
   public:
    std::int64_t granule() const override { return sizes_->granule(); }
    std::int64_t product_rows() const override { return 1024; }
    std::int64_t stride(std::int64_t cols) const override { return sizes_->stride(cols); }
    std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
      return sizes_->left_bytes(rows, depth);
    }
    std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
      return sizes_->right_bytes(cols, depth);
    }
    std::int64_t close_bytes(std::int64_t side) const override { return sizes_->close_bytes(side); }

   private:
    std::unique_ptr<kernels::DeviceSizes> sizes_ = kernels::strict::bit_sizes();
  };
  constexpr std::int64_t kN = 65536, kMemory = std::int64_t{2} << 30;
  constexpr OffloadRates kQuick{.relaxations = 5e14, .in = 5e10, .out = 5e10, .both = 8e10};
  const OffloadPlan plan = plan_offload(problem_of(kN, kMemory), kQuick, TallProducts());
  EXPECT_GT(plan.buffers, 0);
  EXPECT_GE(plan.strip_rows, 1024);
  const double work = static_cast<double>(kN) * kN * kN / kQuick.relaxations;
  EXPECT_NEAR(plan.work / work, 1, 1e-6);
}

TEST(StreamedBits, StopsWhereItIsAsked) {
  const auto sizes = kernels::strict::bit_sizes();
  constexpr std::int64_t kN = 513;
  const std::int64_t least = least_offload_bytes(problem_of(kN, 0), *sizes);
  const OffloadPlan plan = plan_offload(problem_of(kN, least), kRates, *sizes);
  BitProblem problem(kN);
  const auto device = kernels::strict::make_bit_device(plan.device_bytes);
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done > 0.3 * recorder.total; };
  const Control control{&recorder, &recorder.cancellation};
  StreamedMemory memory(*device, plan, problem.values(), Cycles::excluded, control);
  EXPECT_EQ(error_of([&] { memory.run(); }).kind(), ErrorKind::interrupted);
}

TEST(StreamedBits, TooLittleMemoryIsRefused) {
  const auto sizes = kernels::strict::bit_sizes();
  const std::int64_t least = least_offload_bytes(problem_of(513, 0), *sizes);
  EXPECT_EQ(error_of([&] { plan_offload(problem_of(513, least - 1), kRates, *sizes); }).kind(),
            ErrorKind::does_not_fit);
  const OffloadPlan plan = plan_offload(problem_of(513, least), kRates, *sizes);
  BitProblem problem(513);
  const auto device = kernels::strict::make_bit_device(plan.device_bytes - 1);
  const Control control;
  EXPECT_EQ(error_of([&] {
              StreamedMemory(*device, plan, problem.values(), Cycles::excluded, control);
            }).kind(),
            ErrorKind::does_not_fit);
}

}  // namespace
}  // namespace apsp::dense
