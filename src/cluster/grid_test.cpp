// A matrix on grids of processes: threads, one a device. The strict device forgives nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "support/bit_problem.hpp"
#include "support/grid_solve.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::cluster {
namespace {

using dense::Along;
using dense::Broadcast;
using dense::DeviceBuffer;
using dense::Payload;
using dense::Schedule;
using dense::Shape;

using MakeDevice = std::function<std::unique_ptr<kernels::ComputeDevice>()>;

constexpr std::int64_t kMemory = 8 << 20;
constexpr std::int64_t kTile = 8;

std::unique_ptr<kernels::ComputeDevice> strict_device() {
  return kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
}

MakeDevice host_device(int threads) {
  return [threads] {
    constexpr kernels::Sign kSign = kernels::Sign::any;
    return kernels::host::make_device(
        kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kSign),
        kernels::cpu::witness_operations(Semiring::min_plus, ValueType::i32, kSign), kTile,
        threads);
  };
}

void expect_every_size_solved(GridRun run) {
  for (const auto& [rows, cols] :
       {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4}, {4, 1}, {2, 3}, {3, 2}, {3, 3}}) {
    run.rows = rows;
    run.cols = cols;
    for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71}) {
      for (const bool tracked : {false, true}) {
        SmallProblem problem(n, kTile, false);
        EXPECT_EQ(solve_on_grid(run, problem.values(), tracked ? problem.via() : TiledMatrix{}),
                  -1);
        problem.expect_solved();
        if (tracked) problem.expect_via();
        if (testing::Test::HasFailure()) {
          FAIL() << rows << " x " << cols << ", n " << n << (tracked ? ", via" : "");
        }
      }
    }
  }
}

TEST(Grid, SolvesEverySizeOnStrictDevices) {
  expect_every_size_solved({.make = strict_device, .options = {.piece_bytes = 1000}});
}

TEST(Grid, SolvesEverySizeOnStrictDevicesByTrees) {
  expect_every_size_solved({.make = strict_device,
                            .options = {.broadcasts = {Broadcast::binomial, Broadcast::binomial}}});
}

TEST(Grid, SolvesEverySizeOnTheHostsThreads) {
  expect_every_size_solved({.make = host_device(1), .options = {.piece_bytes = 1000}});
}

TEST(Grid, SolvesEverySizeOnTheHostsThreadsThroughStages) {
  expect_every_size_solved({.make = host_device(2), .options = {.staged = true}});
}

/// The lower triangle of tiles is solved; what stood above must not have been read.
void expect_symmetric_solved(GridRun run, std::int64_t n) {
  SmallProblem problem(n, kTile, true);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = (i / kTile + 1) * kTile; j < n; ++j) problem.value(i, j) = -1000;
  }
  run.shape = Shape::symmetric;
  EXPECT_EQ(solve_on_grid(run, problem.values()), -1);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = (i / kTile + 1) * kTile; j < n; ++j) {
      EXPECT_EQ(problem.value(i, j), -1000);
      problem.value(i, j) = problem.value(j, i);
    }
  }
  problem.expect_solved();
}

TEST(Grid, SolvesTheTriangleOfSymmetricMatrices) {
  for (const MakeDevice& make : {MakeDevice(strict_device), host_device(1), host_device(2)}) {
    for (const int side : {1, 2, 3}) {
      for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71, 139}) {
        GridRun run{.rows = side, .cols = side, .make = make};
        expect_symmetric_solved(run, n);
        run.options = {.broadcasts = {Broadcast::binomial, Broadcast::binomial},
                       .piece_bytes = 500,
                       .staged = true};
        expect_symmetric_solved(run, n);
        run.schedule = Schedule::pipelined;
        run.cuts = true;
        expect_symmetric_solved(run, n);
        if (testing::Test::HasFailure()) FAIL() << side << " x " << side << ", n " << n;
      }
    }
  }
}

TEST(Grid, CommunicatorThatReadsDevicesNeedsNoStages) {
  for (const bool cuda_aware : {false, true}) {
    ThreadPost post(1, 2);
    ThreadCommunicator communicator(post, 0, 0);
    const auto device = strict_device();
    const DeviceBuffer memory(*device, 64);
    RelayTransport transport(*device, communicator, {.cuda_aware = cuda_aware});
    transport.broadcast(Payload::panel, Along::row, 1, device->make_queue(), memory.data(), 64);
    EXPECT_EQ(transport.stages_taken(), cuda_aware ? 0 : 1);
  }
}

TEST(Grid, SolvesInEverySchedule) {
  for (const Schedule schedule : {Schedule::baseline, Schedule::pipelined}) {
    for (const MakeDevice& make : {MakeDevice(strict_device), host_device(2)}) {
      expect_every_size_solved({.make = make, .schedule = schedule});
    }
  }
}

/// Solves n vertices on 2 × 2, cut whenever all agree to it; returns how often.
int solved_with_cuts(std::int64_t n, Schedule schedule, bool rows_leave) {
  SmallProblem problem(n, kTile, false);
  int taken = 0;
  const GridRun run{.rows = 2,
                    .cols = 2,
                    .make = strict_device,
                    .schedule = schedule,
                    .cuts = true,
                    .cuts_taken = &taken,
                    .rows_leave = rows_leave};
  EXPECT_EQ(solve_on_grid(run, problem.values(), problem.via()), -1);
  problem.expect_solved();
  problem.expect_via();
  return taken;
}

TEST(Grid, GoesOnFromCutsInEverySchedule) {
  for (const Schedule schedule : {Schedule::baseline, Schedule::pipelined}) {
    EXPECT_GE(solved_with_cuts(8 * 27 + 3, schedule, false), 5);
  }
}

TEST(Grid, CutsBeforeTheLastStepAreWholeWhereRowsLeave) {
  for (const Schedule schedule : {Schedule::baseline, Schedule::pipelined, Schedule::overlapped}) {
    // A vote travels for four steps: some of these sizes are cut before their last step.
    for (const std::int64_t tiles : {5, 6, 7, 10}) {
      const int taken = solved_with_cuts(kTile * tiles, schedule, true);
      if (testing::Test::HasFailure()) {
        FAIL() << tiles << " tiles, schedule " << static_cast<int>(schedule) << ", cuts " << taken;
      }
    }
  }
}

TEST(Grid, GoesOnFromCuts) {
  for (const MakeDevice& make : {MakeDevice(strict_device), host_device(1), host_device(2)}) {
    for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}, {3, 2}}) {
      SmallProblem problem(8 * 27 + 3, kTile, false);
      int taken = 0;
      EXPECT_EQ(solve_on_grid(
                    {.rows = rows, .cols = cols, .make = make, .cuts = true, .cuts_taken = &taken},
                    problem.values(), problem.via()),
                -1);
      problem.expect_solved();
      problem.expect_via();
      EXPECT_EQ(taken, 5) << "a vote travels for four steps, and there are 28";
    }
  }
}

TEST(Grid, FindsCyclesBehindCuts) {
  SmallProblem problem(8 * 20, kTile, false);
  problem.value(150, 140) = -1;
  problem.value(140, 150) = 0;
  int taken = 0;
  const GridRun run{
      .rows = 2, .cols = 2, .make = strict_device, .cuts = true, .cuts_taken = &taken};
  EXPECT_GE(solve_on_grid(run, problem.values(), problem.via()), 0);
  EXPECT_GE(taken, 1);
}

TEST(Grid, SolvesWithManyTilesAProcess) {
  for (const MakeDevice& make : {MakeDevice(strict_device), host_device(1), host_device(3)}) {
    SmallProblem problem(8 * 27 + 3, kTile, false);
    solve_on_grid({.rows = 2, .cols = 3, .make = make}, problem.values(), problem.via());
    problem.expect_solved();
    problem.expect_via();
  }
}

TEST(Grid, ClosesMatricesOfBits) {
  for (const std::int64_t n : {1, 33, 128, 129, 417, 700}) {
    BitProblem problem(n);
    solve_on_grid(
        {.rows = 2, .cols = 3, .make = [] { return kernels::strict::make_bit_device(kMemory); }},
        problem.values());
    EXPECT_TRUE(problem.solved()) << "n " << n;
  }
}

TEST(Grid, AllLearnOfANegativeCycleThatOneMeets) {
  for (const MakeDevice& make : {MakeDevice(strict_device), host_device(1)}) {
    for (const std::int64_t last : {3, 33, 120}) {
      SmallProblem problem(130, kTile, false);
      problem.value(2, last) = 1;
      problem.value(last, 2) = -2;
      const std::int64_t pivot =
          solve_on_grid({.rows = 2, .cols = 2, .make = make}, problem.values());
      EXPECT_GE(pivot, 0);
      EXPECT_LE(pivot, last);
    }
  }
}

TEST(Grid, AllEndWhereOneIsAskedTo) {
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * kTile * 2; };
  const Control control{&recorder, &recorder.cancellation};
  SmallProblem problem(200, kTile, false);
  solve_on_grid({.rows = 2, .cols = 2, .make = strict_device, .control = &control},
                problem.values());
  EXPECT_GE(recorder.done, 200 * 200 * kTile * 2);
  EXPECT_LT(recorder.done, 200 * 200 * kTile * 12);  // of 25 steps
}

TEST(Grid, ProgressEndsAtItsTotal) {
  for (const std::int64_t n : {5, 16, 60}) {
    RecordedProgress recorder;
    const Control control{&recorder, nullptr};
    SmallProblem problem(n, kTile, false);
    solve_on_grid({.rows = 2, .cols = 2, .make = strict_device, .control = &control},
                  problem.values());
    EXPECT_TRUE(recorder.complete()) << "n " << n;
  }
}

}  // namespace
}  // namespace apsp::cluster
