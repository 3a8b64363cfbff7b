// The Place of the disk, over files in memory: tiny tiles, any plan, and ends at any moment.
#include "dense/disk_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cpu/cpu_kernels.hpp"
#include "store/leftovers.hpp"
#include "support/disk_problem.hpp"
#include "support/error_of.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/recorded_progress.hpp"

namespace apsp::dense {
namespace {

using store::DiskMatrix;
using store::expect_solved;
using store::fill;
using store::head_of;
using store::MemoryFileSystem;

constexpr const char* kOutput = "a.zarr";
constexpr std::int64_t kTile = 4;

kernels::TileOperations operations() {
  return kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kernels::Sign::non_negative);
}

DiskPlan plan_of(std::int64_t bands_of_tiles, std::int64_t panel_of_bands,
                 std::int64_t strip_tiles) {
  const std::int64_t band = bands_of_tiles * kTile;
  return {kTile, band, panel_of_bands * band, strip_tiles * kTile, 0};
}

void solve(DiskMatrix& matrix, const DiskPlan& plan, int threads = 2) {
  const Control control;
  DiskMemory(matrix, plan, operations(), threads, control).run();
}

TEST(DiskMemory, SolvesByAnyPlan) {
  for (const std::int64_t n : {1, 3, 4, 5, 8, 17, 31, 48}) {
    for (const std::int64_t tiles : {1, 2, 3}) {
      for (const std::int64_t bands : {1, 2, 5}) {
        for (const std::int64_t strip : {1, 3}) {
          SCOPED_TRACE(testing::Message()
                       << "n " << n << ", " << tiles << " tiles a band, " << bands
                       << " bands a panel, " << strip << " tiles a strip");
          SmallProblem problem(n, kTile, false);
          MemoryFileSystem disk;
          const DiskPlan plan = plan_of(tiles, bands, strip);
          DiskMatrix matrix(disk, kOutput, head_of(n, plan.band), Graph());
          fill(problem, matrix);
          solve(matrix, plan, 1 + static_cast<int>(strip % 2));
          expect_solved(problem, matrix);
        }
      }
    }
  }
}

TEST(DiskMemory, GoesOnFromACutWithStepsOfAnotherWidth) {
  constexpr std::int64_t kN = 53, kBands = 7;
  for (std::int64_t bands = 1; bands <= kBands; bands += 2) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    {
      DiskMatrix matrix(disk, kOutput, head_of(kN, 2 * kTile), Graph());
      fill(problem, matrix);
      RecordedProgress progress;
      const Control control{&progress, &progress.cancellation};
      // Two steps of three bands are done when progress ends it.
      const double two = 2.0 * 24 * kN * kN;
      progress.cancel_when = [&] { return progress.done > two + kN; };
      const Error error =
          error_of([&] { DiskMemory(matrix, plan_of(2, 3, 1), operations(), 2, control).run(); });
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
    const auto earlier = store::find_resumable(disk, kOutput);
    ASSERT_TRUE(earlier);
    EXPECT_EQ(earlier->contents.cut->pivots, 48);
    DiskMatrix matrix(disk, *earlier, head_of(kN, 2 * kTile));
    solve(matrix, plan_of(2, bands, 2));
    expect_solved(problem, matrix);
  }
}

TEST(DiskMemory, KilledAtAnyOperation) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = plan_of(1, 2, 1);
  std::int64_t resumed = 0;
  for (std::int64_t k = 0;; k += 5) {
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

TEST(DiskMemory, ADiskThatFailsEndsIt) {
  constexpr std::int64_t kN = 19;
  const DiskPlan plan = plan_of(1, 2, 1);
  for (std::int64_t k = 0;; k += 3) {
    SmallProblem problem(kN, kTile, false);
    MemoryFileSystem disk;
    store::FaultyFileSystem files(disk, {.failing_operation = k});
    const auto run = [&] {
      DiskMatrix matrix(files, kOutput, head_of(kN, plan.band), Graph());
      fill(problem, matrix);
      solve(matrix, plan);
      expect_solved(problem, matrix);
    };
    try {
      run();
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input_output) << k;
    }
    if (files.operations() <= k) break;
  }
}

TEST(DiskMemory, TellsProgressToTheEnd) {
  constexpr std::int64_t kN = 37;
  SmallProblem problem(kN, kTile, false);
  MemoryFileSystem disk;
  RecordedProgress progress;
  const Control control{&progress, nullptr};
  const DiskPlan plan = plan_of(1, 3, 2);
  DiskMatrix matrix(disk, kOutput, head_of(kN, plan.band), Graph());
  fill(problem, matrix);
  DiskMemory(matrix, plan, operations(), 3, control).run();
  EXPECT_EQ(progress.total, static_cast<double>(kN * kN * kN));
  EXPECT_EQ(progress.done, progress.total);
}

}  // namespace
}  // namespace apsp::dense
