// A matrix on a disk in memory that stays on several strict devices, each with a thread: any plan,
// ends at any moment. They refuse every access to each other's memory that no event orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dense/disk_memory.hpp"
#include "dense/staying_disk.hpp"
#include "dense/streamed_disk_plan.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "store/leftovers.hpp"
#include "support/disk_problem.hpp"
#include "support/error_of.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/recorded_progress.hpp"
#include "support/strict_peers.hpp"

namespace apsp::dense {
namespace {

using store::DiskMatrix;
using store::expect_solved;
using store::fill;
using store::head_of;
using store::MemoryFileSystem;

constexpr const char* kOutput = "a.zarr";
constexpr std::int64_t kTile = 8;
constexpr std::int64_t kPiece = 300;  // bytes: most squares are passed on in several

DiskPlan any_plan(int devices, std::int64_t band, std::int64_t bands_a_block,
                  std::int64_t strip_rows, std::int64_t buffers) {
  DiskPlan plan{kTile, band, bands_a_block * band, strip_rows, 0};
  plan.buffers = buffers;
  plan.stays = true;
  plan.devices = devices;
  return plan;
}

DiskPlan planned(std::int64_t n, int devices, std::int64_t memory, std::int64_t device_memory,
                 std::int64_t first_pivot = 0, std::int64_t band = 0) {
  return plan_streamed_disk({.n = n,
                             .value_size = 4,
                             .tile = kTile,
                             .memory = memory,
                             .device_memory = device_memory,
                             .devices = devices,
                             .first_pivot = first_pivot,
                             .band = band},
                            *kernels::strict::sizes(Semiring::min_plus, ValueType::i32));
}

void solve(DiskMatrix& matrix, const DiskPlan& plan, const StrictPeers& peers,
           const Control& control = {}) {
  StayingDisk(matrix, plan, peers.devices, 3, control, kPiece).run();
}

std::int64_t memory_free(const StrictPeers& peers) {
  return std::accumulate(
      peers.devices.begin(), peers.devices.end(), std::int64_t{0},
      [](std::int64_t sum, const auto* device) { return sum + device->memory_free(); });
}

/// `memory`: of each device.
void expect_solved_by(std::int64_t n, const DiskPlan& plan,
                      std::int64_t memory = StrictPeers::kMemory) {
  SCOPED_TRACE(testing::Message() << "n " << n << ", bands of " << plan.band << ", blocks of "
                                  << plan.width << ", strips of " << plan.strip_rows << ", "
                                  << plan.buffers << " buffers, " << plan.devices << " devices");
  SmallProblem problem(n, kTile, false);
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head_of(n, plan.band), Graph());
  fill(problem, matrix);
  const StrictPeers peers(plan.devices, memory);
  solve(matrix, plan, peers);
  expect_solved(problem, matrix);
  EXPECT_EQ(memory_free(peers), plan.devices * memory) << "everything is given back";
}

TEST(StayingDisk, SolvesByAnyPlanOnSeveralDevices) {
  for (const int devices : {2, 3, 4}) {
    for (const std::int64_t n : {1, 3, 4, 8, 9, 17, 31, 48, 61}) {
      for (const std::int64_t band : {4, 8, 12}) {
        for (const std::int64_t bands : {1, 2, 5}) {
          expect_solved_by(
              n, any_plan(devices, band, bands, n % 2 == 0 ? 4 : 12, 1 + (n + bands) % 6));
        }
      }
    }
  }
}

TEST(StayingDisk, TakesTheMemoryThatWasPlanned) {
  constexpr std::int64_t kN = 61;
  for (const int devices : {1, 2, 3, 4}) {
    std::int64_t least = INT64_MAX;
    for (std::int64_t there = 1 << 11; there < 1 << 16; there += there / 7) {
      const DiskPlan plan = planned(kN, devices, 1 << 16, there);
      if (!plan.stays || plan.device_bytes > there) continue;
      least = std::min(least, plan.device_bytes);
      expect_solved_by(kN, plan, plan.device_bytes);
    }
    EXPECT_LE(least * devices, 2 * kN * kN * 4) << devices << " hold a share each";
  }
}

TEST(StayingDisk, ADeviceWithTooLittleMemoryIsRefused) {
  constexpr std::int64_t kN = 61;
  const DiskPlan plan = planned(kN, 2, 1 << 16, 1 << 15);
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
  fill(problem, matrix);
  const StrictPeers peers(2, plan.device_bytes - 1);
  EXPECT_EQ(error_of([&] { solve(matrix, plan, peers); }).kind(), ErrorKind::does_not_fit);
  EXPECT_EQ(memory_free(peers), 2 * (plan.device_bytes - 1));
}

TEST(StayingDisk, IsReadAndWrittenOnceByAllTogether) {
  constexpr std::int64_t kN = 64;
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head_of(kN, 8), Graph());
  fill(problem, matrix);
  const StrictPeers peers(3);
  solve(matrix, any_plan(3, 8, 1, 8, 3), peers);
  expect_solved(problem, matrix);
  std::int64_t copied = 0;
  for (const auto* device : peers.devices) copied += kernels::strict::copied_out(*device);
  EXPECT_EQ(copied, kN * kN * 4);
}

/// Rounded sums depend on the blocks, and not on who has them.
TEST(StayingDisk, RoundedSumsAreThoseOfOneDevice) {
  constexpr std::int64_t kN = 61;
  const auto solved = [](Semiring semiring, ValueType type, auto value, int devices) {
    using Value = decltype(value);
    base::SplitMix64 random(5);
    std::vector<Value> values(kN * kN);
    for (Value& v : values) v = static_cast<Value>(random.below(100'000)) / Value{977};
    for (std::int64_t i = 0; i < kN; ++i) {
      values[static_cast<std::size_t>(i * (kN + 1))] =
          semiring == Semiring::max_min ? std::numeric_limits<Value>::infinity() : Value{0};
    }
    MemoryFileSystem disk;
    store::JournalHead head = head_of(kN, 4);
    head.layout.type = type;
    head.layout.semiring = semiring;
    DiskMatrix matrix(disk, kOutput, head, Graph());
    matrix.write_block({0, 0, kN, kN}, values.data(), kN);
    matrix.commit_step(0);
    const StrictPeers peers(devices, [=] {
      return kernels::strict::make_device(semiring, type, StrictPeers::kMemory);
    });
    solve(matrix, any_plan(devices, 4, 2, 8, 3), peers);
    matrix.read(store::Plane::distance, {0, 0, kN, kN}, values.data(), kN);
    return values;
  };
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    for (const int devices : {2, 3}) {
      EXPECT_EQ(solved(semiring, ValueType::f32, float{}, devices),
                solved(semiring, ValueType::f32, float{}, 1));
      EXPECT_EQ(solved(semiring, ValueType::f64, double{}, devices),
                solved(semiring, ValueType::f64, double{}, 1));
    }
  }
}

TEST(StayingDisk, ContinuesWhatTheHostBegan) {
  constexpr std::int64_t kN = 53;
  for (const std::int64_t memory : {1 << 14, 1 << 16}) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    {
      DiskMatrix matrix(disk, kOutput, head_of(kN, 8), Graph());
      fill(problem, matrix);
      RecordedProgress progress;
      const Control control{&progress, &progress.cancellation};
      progress.cancel_when = [&] { return progress.done > 0.5 * progress.total; };
      const auto operations =
          kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative);
      const DiskPlan begun = any_plan(1, 8, 2, 8, 0);
      EXPECT_EQ(error_of([&] { DiskMemory(matrix, begun, operations, 2, control).run(); }).kind(),
                ErrorKind::interrupted);
    }
    const auto earlier = store::find_resumable(disk, kOutput);
    ASSERT_TRUE(earlier && earlier->contents.cut);
    const std::int64_t pivots = earlier->contents.cut->pivots;
    EXPECT_GT(pivots, 0);
    DiskMatrix matrix(disk, *earlier, head_of(kN, 8));
    // Blocks of earlier pivots count for the memory too.
    const DiskPlan plan = planned(kN, 3, memory, 1 << 16, pivots, 8);
    EXPECT_EQ(plan.band, 8);
    solve(matrix, plan, StrictPeers(3, plan.device_bytes));
    expect_solved(problem, matrix);
  }
}

TEST(StayingDisk, ADiskThatFailsEndsAllOfThem) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = any_plan(2, 4, 1, 4, 3);
  bool failed = false;
  for (std::int64_t k = 0;; k += 3) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    store::FaultyFileSystem files(disk, {.failing_operation = k});
    try {
      DiskMatrix matrix(files, kOutput, head_of(kN, plan.band), Graph());
      fill(problem, matrix);
      solve(matrix, plan, StrictPeers(2));
      expect_solved(problem, matrix);
    } catch (const Error& error) {
      failed = true;
      ASSERT_EQ(error.kind(), ErrorKind::input_output) << k << ": " << error.what();
    }
    if (files.operations() <= k) break;
  }
  EXPECT_TRUE(failed);
}

/// Its only cut is the end: before that nothing is left.
TEST(StayingDisk, KilledAtAnyOperationItIsWholeOrBeginsAgain) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = any_plan(3, 4, 1, 4, 3);
  bool whole = false;
  for (std::int64_t k = 0;; k += 5) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    store::FaultyFileSystem files(disk, {.crash_operation = k});
    try {
      DiskMatrix matrix(files, kOutput, head_of(kN, plan.band), Graph());
      fill(problem, matrix);
      solve(matrix, plan, StrictPeers(3));
    } catch (const Error&) {  // it may notice; the state on the disk is what counts
    }
    store::clean_leftovers(disk, kOutput, store::Resumables::spared);
    if (const auto earlier = store::find_resumable(disk, kOutput)) {
      whole = true;
      DiskMatrix matrix(disk, *earlier, head_of(kN, plan.band));
      solve(matrix, plan, StrictPeers(3));
      expect_solved(problem, matrix);
    }
    if (files.operations() <= k) break;
  }
  EXPECT_TRUE(whole);
}

TEST(StayingDisk, ADeviceThatFailsEndsAllOfThem) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = any_plan(2, 4, 1, 4, 3);
  for (std::int64_t k = 0;; k += 13) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
    fill(problem, matrix);
    const StrictPeers peers(2);
    kernels::strict::fail_after(k);
    try {
      solve(matrix, plan, peers);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device) << k << ": " << error.what();
    }
    const bool failed = kernels::strict::has_failed();
    kernels::strict::fail_after(-1);
    EXPECT_EQ(matrix.cut()->pivots, failed ? 0 : kN) << k;
    if (!failed) break;  // the solve has given fewer operations
  }
}

TEST(StayingDisk, TellsProgressToTheEndOnce) {
  constexpr std::int64_t kN = 37;
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  RecordedProgress progress;
  const DiskPlan plan = any_plan(3, 4, 2, 8, 3);
  DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
  fill(problem, matrix);
  solve(matrix, plan, StrictPeers(3), {&progress, nullptr});
  EXPECT_EQ(progress.total, static_cast<double>(kN * kN * kN));
  EXPECT_EQ(progress.done, progress.total);
  EXPECT_EQ(progress.ended, 1);
}

TEST(StayingDisk, EndsAtAnyMomentWhereItIsToldTo) {
  constexpr std::int64_t kN = 37;
  for (double share = 0; share < 1; share += 0.1) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    const DiskPlan plan = any_plan(3, 4, 1, 4, 3);
    DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
    fill(problem, matrix);
    RecordedProgress progress;
    progress.cancel_when = [&] { return progress.done > share * progress.total; };
    const StrictPeers peers(3);
    EXPECT_EQ(error_of([&] {
                solve(matrix, plan, peers, {&progress, &progress.cancellation});
              }).kind(),
              ErrorKind::interrupted)
        << share;
    EXPECT_EQ(memory_free(peers), 3 * StrictPeers::kMemory);
  }
}

TEST(StayingDisk, EndsWithWhatTheProgressThrows) {
  constexpr std::int64_t kN = 37;
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  const DiskPlan plan = any_plan(2, 4, 3, 8, 3);
  DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
  fill(problem, matrix);
  RecordedProgress progress;
  progress.cancel_when = [&]() -> bool {
    if (progress.done > 0.5 * progress.total) throw std::runtime_error("progress");
    return false;
  };
  EXPECT_THROW(solve(matrix, plan, StrictPeers(2), {&progress, nullptr}), std::runtime_error);
}

}  // namespace
}  // namespace apsp::dense
