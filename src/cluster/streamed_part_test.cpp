// Parts of a matrix on grids of processes that stream through devices: threads, one a strict
// device, which refuses every access to its memory, or to the host's, that no event orders.
#include "cluster/streamed_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "cluster/process_device.hpp"
#include "dense/peer_transport.hpp"
#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/streamed_grid.hpp"
#include "support/strict_peers.hpp"
#include "system/threads.hpp"

namespace apsp::cluster {
namespace {

constexpr dense::OffloadRates kRates{1e12, 1e10, 1e10, 1.5e10};
constexpr std::pair<int, int> kGrids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4},
                                          {4, 1}, {2, 3}, {3, 2}, {3, 3}};

dense::OffloadPlan plan_of(std::int64_t n, std::int64_t width, std::int64_t strip,
                           std::int64_t buffers) {
  const StrictPeers one(1);
  const kernels::DeviceSizes& sizes = one.devices[0]->tiles();
  return {.width = width,
          .buffers = buffers,
          .strip_rows = strip,
          .buffer_values = std::max({strip * sizes.stride(n), width * sizes.stride(sizes.granule()),
                                     sizes.granule() * sizes.stride(width)})};
}

void expect_every_size_solved(StreamedGrid run) {
  for (const auto& [rows, cols] : kGrids) {
    run.rows = rows;
    run.cols = cols;
    for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71}) {
      for (const std::int64_t strip : {4, 8}) {
        SmallProblem problem(n, 8, false);
        run.plan = plan_of(n, 8, strip, 3);
        EXPECT_EQ(solve_streamed(run, problem.values()), -1);
        problem.expect_solved();
        if (testing::Test::HasFailure()) {
          FAIL() << rows << " x " << cols << ", n " << n << ", strips of " << strip;
        }
      }
    }
  }
}

TEST(StreamedPart, SolvesEverySize) { expect_every_size_solved({.options = {.piece_bytes = 300}}); }

TEST(StreamedPart, SolvesEverySizeByTrees) {
  expect_every_size_solved(
      {.options = {.broadcasts = {dense::Broadcast::binomial, dense::Broadcast::binomial}}});
}

TEST(StreamedPart, SolvesInEverySchedule) {
  for (const dense::Schedule schedule : {dense::Schedule::baseline, dense::Schedule::pipelined}) {
    expect_every_size_solved({.schedule = schedule});
  }
}

TEST(StreamedPart, SolvesEverySizeOnDevicesThatBroadcast) {
  for (const auto& [rows, cols] : kGrids) {
    for (const dense::Schedule schedule :
         {dense::Schedule::overlapped, dense::Schedule::pipelined}) {
      for (const std::int64_t n : {1, 8, 17, 45, 71}) {
        SmallProblem problem(n, 8, false);
        StrictPeers peers(rows * cols);
        BroadcastExchange exchange(dense::met(peers.devices), cols);
        EXPECT_EQ(solve_streamed({.rows = rows,
                                  .cols = cols,
                                  .plan = plan_of(n, 8, 8, 3),
                                  .schedule = schedule,
                                  .direct = &exchange},
                                 problem.values()),
                  -1);
        problem.expect_solved();
        if (testing::Test::HasFailure()) FAIL() << rows << " x " << cols << ", n " << n;
      }
    }
  }
}

TEST(StreamedPart, SolvesThroughTwoBuffersAndWidePanels) {
  for (const std::int64_t width : {4, 12, 32}) {
    for (const auto& [rows, cols] : {std::pair{2, 2}, {1, 3}}) {
      SmallProblem problem(150, 8, false);
      const StreamedGrid run{.rows = rows, .cols = cols, .plan = plan_of(150, width, 4, 2)};
      EXPECT_EQ(solve_streamed(run, problem.values()), -1);
      problem.expect_solved();
    }
  }
}

TEST(StreamedPart, TakesTheBytesThatThePlanSays) {
  const StrictPeers one(1);
  const kernels::DeviceSizes& sizes = one.devices[0]->tiles();
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}}) {
    for (const std::int64_t memory : {50000, 90000, 200000}) {
      SmallProblem problem(150, 8, false);
      StreamedGrid run{.rows = rows, .cols = cols};
      const OffloadGrid grid{.problem = {.n = 150, .value_size = 4, .device_memory = memory},
                             .rows = rows,
                             .columns = cols};
      run.plan = plan_streamed_part(grid, kRates, sizes);
      EXPECT_LE(run.plan.device_bytes, memory);
      run.memory = run.plan.device_bytes;
      run.spends_memory = true;
      EXPECT_EQ(solve_streamed(run, problem.values()), -1);
      problem.expect_solved();
      --run.memory;
      EXPECT_ANY_THROW(solve_streamed(run, problem.values()));
    }
  }
}

TEST(StreamedPart, PlansWiderPanelsWhereCopiesAreSlow) {
  const StrictPeers one(1);
  const auto width = [&](double copied, int side) {
    const OffloadGrid grid{.problem = {.n = 4000, .value_size = 4, .device_memory = 8 << 20},
                           .rows = side,
                           .columns = side};
    const dense::OffloadPlan plan =
        plan_streamed_part(grid, {1e12, copied, copied, 1.5 * copied}, one.devices[0]->tiles());
    EXPECT_LE(plan.device_bytes, 8 << 20);
    return plan.width;
  };
  EXPECT_LT(width(1e12, 2), width(1e10, 2));
  EXPECT_LE(width(1e10, 1), width(1e10, 2)) << "parts of more processes leave more memory";
  const OffloadGrid asked{.problem = {.n = 4000, .value_size = 4, .device_memory = 8 << 20},
                          .rows = 2,
                          .columns = 2,
                          .width = 64};
  EXPECT_EQ(plan_streamed_part(asked, kRates, one.devices[0]->tiles()).width, 64);
}

TEST(StreamedPart, MemoryThatIsTooSmallIsRefusedWithTheLeast) {
  const StrictPeers one(1);
  OffloadGrid grid{
      .problem = {.n = 150, .value_size = 4, .device_memory = 100}, .rows = 2, .columns = 2};
  EXPECT_ERROR(does_not_fit, plan_streamed_part(grid, kRates, one.devices[0]->tiles()));
}

TEST(StreamedPart, AllLearnOfANegativeCycleThatOneMeets) {
  for (const std::int64_t last : {3, 33, 120}) {
    SmallProblem problem(130, 8, false);
    problem.value(2, last) = 1;
    problem.value(last, 2) = -2;
    const StreamedGrid run{.rows = 2, .cols = 2, .plan = plan_of(130, 8, 8, 3)};
    const std::int64_t pivot = solve_streamed(run, problem.values());
    EXPECT_GE(pivot, 0);
    EXPECT_LE(pivot, last);
  }
}

TEST(StreamedPart, AllEndWhereOneIsAskedTo) {
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * 8 * 2; };
  const Control control{&recorder, &recorder.cancellation};
  SmallProblem problem(200, 8, false);
  solve_streamed({.rows = 2, .cols = 2, .plan = plan_of(200, 8, 8, 3), .control = &control},
                 problem.values());
  EXPECT_GE(recorder.done, 200 * 200 * 8 * 2);
  EXPECT_LT(recorder.done, 200 * 200 * 8 * 12);  // of 25 steps
}

TEST(StreamedPart, ProgressEndsAtItsTotal) {
  for (const std::int64_t n : {5, 16, 60}) {
    RecordedProgress recorder;
    const Control control{&recorder, nullptr};
    SmallProblem problem(n, 8, false);
    solve_streamed({.rows = 2, .cols = 2, .plan = plan_of(n, 8, 8, 3), .control = &control},
                   problem.values());
    EXPECT_TRUE(recorder.complete()) << "n " << n;
  }
}

TEST(StreamedPart, GoesOnFromCutsInEverySchedule) {
  for (const dense::Schedule schedule :
       {dense::Schedule::baseline, dense::Schedule::pipelined, dense::Schedule::overlapped}) {
    for (const auto& [rows, cols] : {std::pair{1, 1}, {3, 2}}) {
      // Of six processes, each has more buffers than pieces.
      const std::int64_t n = 8 * 22 + 3, buffers = rows == 1 ? 3 : 64;
      SmallProblem problem(n, 8, false);
      int taken = 0;
      const StreamedGrid run{.rows = rows,
                             .cols = cols,
                             .plan = plan_of(n, 8, 8, buffers),
                             .schedule = schedule,
                             .cuts_taken = &taken};
      EXPECT_EQ(solve_streamed(run, problem.values()), -1);
      problem.expect_solved();
      EXPECT_GE(taken, 3);
      if (testing::Test::HasFailure()) FAIL() << rows << " x " << cols;
    }
  }
}

/// Devices that read each other's memory: what was sent must not be written before it was taken.
TEST(StreamedPart, SolvesOnPeers) {
  for (const auto& [rows, cols] : kGrids) {
    for (const std::int64_t n : {9, 45, 71}) {
      SmallProblem problem(n, 8, false);
      const StrictPeers peers(rows * cols);
      dense::PeerExchange exchange(dense::met(peers.devices), cols);
      system::on_threads(
          rows * cols,
          [&, rows = rows, cols = cols](int member) {
            dense::PeerTransport transport(exchange, member, 300);
            kernels::ComputeDevice& device = *peers.devices[static_cast<std::size_t>(member)];
            const dense::GridPart part{n,
                                       {rows, member / cols},
                                       {cols, member % cols},
                                       &transport,
                                       dense::Schedule::overlapped};
            HeldOnHost held(problem.values(), part);
            StreamedPart(device, plan_of(n, 8, 4, 3), held.matrix(), kernels::Cycles::possible,
                         nullptr, part)
                .solve();
            held.copy(problem.values(), part, false);
          },
          [&] { exchange.fail(); });
      problem.expect_solved();
      if (testing::Test::HasFailure()) FAIL() << rows << " x " << cols << ", n " << n;
    }
  }
}

}  // namespace
}  // namespace apsp::cluster
