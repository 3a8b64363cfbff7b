// A matrix on a disk in memory, through a strict device: tiny tiles, any plan, ends at any moment.
#include "dense/streamed_disk.hpp"
#include "dense/staying_disk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "dense/disk_memory.hpp"
#include "dense/streamed_disk_plan.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "store/leftovers.hpp"
#include "support/disk_problem.hpp"
#include "support/error_of.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/recorded_progress.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::dense {
namespace {

using store::DiskMatrix;
using store::expect_solved;
using store::fill;
using store::head_of;
using store::MemoryFileSystem;

constexpr const char* kOutput = "a.zarr";
constexpr std::int64_t kTile = 8, kPlenty = 1 << 22;

std::unique_ptr<kernels::ComputeDevice> make_device(std::int64_t memory) {
  return kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
}

StreamedDiskProblem problem_of(std::int64_t n, std::int64_t memory, std::int64_t device_memory) {
  return {.n = n, .value_size = 4, .tile = kTile, .memory = memory, .device_memory = device_memory};
}

/// A plan that a planner would not choose. The device has memory enough for it.
DiskPlan any_plan(std::int64_t band, std::int64_t bands_a_panel, std::int64_t strip_rows,
                  std::int64_t buffers, bool stays) {
  DiskPlan plan{kTile, band, bands_a_panel * band, strip_rows, 0};
  plan.buffers = buffers;
  plan.device_bytes = kPlenty;
  plan.stays = stays;
  return plan;
}

void run_on(kernels::ComputeDevice& device, DiskMatrix& matrix, const DiskPlan& plan,
            const Control& control = {}) {
  if (plan.stays) return StayingDisk(matrix, plan, {&device}, 3, control).run();
  StreamedDisk(matrix, plan, device, 3, control).run();
}

/// By a device that has exactly the plan's memory.
void solve(DiskMatrix& matrix, const DiskPlan& plan, const Control& control = {}) {
  const auto device = make_device(plan.device_bytes);
  run_on(*device, matrix, plan, control);
  EXPECT_EQ(device->memory_free(), plan.device_bytes) << "everything is given back";
}

void expect_solved_by(std::int64_t n, const DiskPlan& plan) {
  SCOPED_TRACE(testing::Message() << "n " << n << ", bands of " << plan.band << ", panels of "
                                  << plan.width << ", strips of " << plan.strip_rows << ", "
                                  << plan.buffers << " buffers, stays " << plan.stays);
  SmallProblem problem(n, kTile, false);
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head_of(n, plan.band), Graph());
  fill(problem, matrix);
  solve(matrix, plan);
  expect_solved(problem, matrix);
}

TEST(StreamedDisk, SolvesByAnyPlan) {
  for (const std::int64_t n : {1, 3, 4, 5, 7, 8, 9, 17, 31, 48}) {
    for (const bool stays : {false, true}) {
      for (const std::int64_t band : {4, 8, 12}) {
        for (const std::int64_t bands : {1, 2, 5}) {
          for (const std::int64_t strip : {4, 12}) {
            expect_solved_by(n, any_plan(band, bands, strip, 1 + (n + bands) % 6, stays));
          }
        }
      }
    }
  }
}

/// Its queues run at once, on threads: parts overlap as on a GPU.
TEST(StreamedDisk, SolvesOnADeviceThatRunsAhead) {
  constexpr std::int64_t kN = 150;
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative);
  for (const bool stays : {false, true}) {
    for (const std::int64_t buffers : {1, 3, 6}) {
      SmallProblem problem(kN, kTile, false);
      MemoryFileSystem disk;
      const DiskPlan plan = any_plan(16, 2, 8, buffers, stays);
      DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
      fill(problem, matrix);
      const auto device = kernels::host::make_device(operations, std::nullopt, kTile, 3);
      run_on(*device, matrix, plan);
      expect_solved(problem, matrix);
    }
  }
}

TEST(StreamedDisk, SolvesWithAnyMemoryOfTheHostAndTheDevice) {
  constexpr std::int64_t kN = 61;
  bool stayed = false, passed = false;
  for (std::int64_t memory = 1 << 13; memory < 1 << 18; memory += memory / 3) {
    for (std::int64_t there = 1 << 14; there < 1 << 17; there += there / 5) {
      const auto problem = problem_of(kN, memory, there);
      const DiskPlan plan = plan_streamed_disk(problem, make_device(0)->tiles());
      if (plan.bytes > memory || plan.device_bytes > there) continue;
      (plan.stays ? stayed : passed) = true;
      expect_solved_by(kN, plan);
    }
  }
  EXPECT_TRUE(stayed && passed);
}

TEST(StreamedDisk, IsReadAndWrittenOnceWhereItStays) {
  constexpr std::int64_t kN = 64;
  for (const bool stays : {true, false}) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    const DiskPlan plan = any_plan(8, 2, 8, 3, stays);
    DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
    fill(problem, matrix);
    const auto device = make_device(plan.device_bytes);
    run_on(*device, matrix, plan);
    expect_solved(problem, matrix);
    EXPECT_EQ(kernels::strict::copied_out(*device), plan.passes(kN) * kN * kN * 4);
  }
}

/// Ends a run of steps of 16 pivots behind the second one.
void solve_partly(SmallProblem& problem, DiskMatrix& matrix, const DiskPlan& plan, bool by_device) {
  const std::int64_t n = problem.values().n();
  RecordedProgress progress;
  const Control control{&progress, &progress.cancellation};
  progress.cancel_when = [&] {
    return progress.done > 2.0 * 16 * static_cast<double>(n * n) + static_cast<double>(n);
  };
  const Error error = error_of([&] {
    if (by_device) return solve(matrix, plan, control);
    DiskMemory(
        matrix, plan,
        kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative),
        2, control)
        .run();
  });
  EXPECT_EQ(error.kind(), ErrorKind::interrupted);
}

TEST(StreamedDisk, ContinuesWhatItOrTheHostBegan) {
  constexpr std::int64_t kN = 53;
  for (const bool begun_by_device : {false, true}) {
    for (const bool stays : {false, true}) {
      for (const std::int64_t bands : {1, 3, 7}) {
        SmallProblem problem(kN, kTile, false);
        MemoryFileSystem disk;
        {
          DiskMatrix matrix(disk, kOutput, head_of(kN, 8), Graph());
          fill(problem, matrix);
          solve_partly(problem, matrix, any_plan(8, 2, 8, 4, false), begun_by_device);
        }
        const auto earlier = store::find_resumable(disk, kOutput);
        ASSERT_TRUE(earlier);
        EXPECT_EQ(earlier->contents.cut->pivots, 32);
        DiskMatrix matrix(disk, *earlier, head_of(kN, 8));
        solve(matrix, any_plan(8, bands, 4, 4, stays));
        expect_solved(problem, matrix);
      }
    }
  }
}

TEST(StreamedDisk, TheHostContinuesWhatItBegan) {
  constexpr std::int64_t kN = 53;
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  {
    DiskMatrix matrix(disk, kOutput, head_of(kN, 8), Graph());
    fill(problem, matrix);
    solve_partly(problem, matrix, any_plan(8, 2, 8, 4, false), true);
  }
  const auto earlier = store::find_resumable(disk, kOutput);
  ASSERT_TRUE(earlier);
  DiskMatrix matrix(disk, *earlier, head_of(kN, 8));
  const Control control;
  DiskMemory(
      matrix, any_plan(8, 1, 8, 0, false),
      kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative), 2,
      control)
      .run();
  expect_solved(problem, matrix);
}

TEST(StreamedDisk, KilledAtAnyOperation) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = any_plan(4, 2, 4, 3, false);
  std::int64_t resumed = 0;
  for (std::int64_t k = 0;; k += 7) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    store::FaultyFileSystem files(disk, {.crash_operation = k});
    try {
      DiskMatrix matrix(files, kOutput, head_of(kN, plan.band), Graph());
      fill(problem, matrix);
      solve(matrix, plan);
    } catch (const Error&) {  // it may notice; the state on the disk is what counts
    }
    store::clean_leftovers(disk, kOutput, store::Resumables::spared);
    const auto earlier = store::find_resumable(disk, kOutput);
    if (earlier) {
      resumed += earlier->contents.done() < kN ? 1 : 0;
      DiskMatrix matrix(disk, *earlier, head_of(kN, plan.band));
      solve(matrix, plan);
      expect_solved(problem, matrix);
    }
    if (files.operations() <= k) break;
  }
  EXPECT_GT(resumed, 10);
}

TEST(StreamedDisk, ADiskThatFailsEndsIt) {
  constexpr std::int64_t kN = 19;
  for (const bool stays : {false, true}) {
    const DiskPlan plan = any_plan(4, 2, 4, 3, stays);
    for (std::int64_t k = 0;; k += 5) {
      SmallProblem problem(kN, kTile, false);
      MemoryFileSystem disk;
      store::FaultyFileSystem files(disk, {.failing_operation = k});
      try {
        DiskMatrix matrix(files, kOutput, head_of(kN, plan.band), Graph());
        fill(problem, matrix);
        solve(matrix, plan);
        expect_solved(problem, matrix);
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::input_output) << k;
      }
      if (files.operations() <= k) break;
    }
  }
}

TEST(StreamedDisk, ADeviceWithTooLittleMemoryIsRefused) {
  constexpr std::int64_t kN = 61;
  const DiskPlan plan =
      plan_streamed_disk(problem_of(kN, 1 << 16, 1 << 15), make_device(0)->tiles());
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
  fill(problem, matrix);
  const auto device = make_device(plan.device_bytes - 1);
  const Control control;
  ASSERT_TRUE(plan.stays);
  EXPECT_EQ(error_of([&] { StayingDisk(matrix, plan, {device.get()}, 1, control); }).kind(),
            ErrorKind::does_not_fit);
  EXPECT_EQ(device->memory_free(), plan.device_bytes - 1);
}

TEST(StreamedDisk, TellsProgressToTheEnd) {
  constexpr std::int64_t kN = 37;
  for (const bool stays : {false, true}) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    RecordedProgress progress;
    const DiskPlan plan = any_plan(4, 3, 8, 3, stays);
    DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
    fill(problem, matrix);
    solve(matrix, plan, {&progress, nullptr});
    EXPECT_EQ(progress.total, static_cast<double>(kN * kN * kN));
    EXPECT_EQ(progress.done, progress.total);
  }
}

TEST(StreamedDisk, EndsWithWhatTheProgressThrows) {
  constexpr std::int64_t kN = 37;
  for (const bool stays : {false, true}) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    const DiskPlan plan = any_plan(4, 3, 8, 3, stays);
    DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
    fill(problem, matrix);
    RecordedProgress progress;
    progress.cancel_when = [&]() -> bool {
      if (progress.done > 0.5 * progress.total) throw std::runtime_error("progress");
      return false;
    };
    const auto device = make_device(plan.device_bytes);
    const Control control{&progress, nullptr};
    EXPECT_THROW(run_on(*device, matrix, plan, control), std::runtime_error);
    EXPECT_EQ(device->memory_free(), plan.device_bytes);
  }
}

}  // namespace
}  // namespace apsp::dense
