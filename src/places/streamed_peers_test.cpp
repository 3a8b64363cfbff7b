// Matrices that stream through several devices: strict ones, each with a thread. They refuse every
// access to each other's memory, or to the host's, that no event orders.
#include "places/streamed_peers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "testing/error_of.hpp"
#include "testing/recorded_progress.hpp"
#include "testing/small_problem.hpp"
#include "testing/strict_peers.hpp"

namespace apsp::places {
namespace {

using kernels::Cycles;

constexpr std::int64_t kTile = 8;
constexpr std::int64_t kPiece = 300;  // bytes: most panels are passed on in several
constexpr OffloadRates kRates{1e12, 1e10, 1e10, 1.5e10};

OffloadProblem problem_of(std::int64_t n, std::int64_t memory) {
  return {.n = n, .value_size = 4, .tile = kTile, .device_memory = memory};
}

OffloadPlan plan_of(std::int64_t n, std::int64_t width, std::int64_t strip, std::int64_t buffers) {
  const StrictPeers one(1);
  return {.width = width,
          .buffers = buffers,
          .strip_rows = strip,
          .buffer_values = strip * one.devices[0]->stride(n)};
}

TEST(StreamedPeers, SolveEverySize) {
  for (const int devices : {1, 2, 3, 4}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 40, 45, 71, 139}) {
      for (const std::int64_t strip : {4, 8}) {
        SmallProblem problem(n, kTile, false);
        const StrictPeers peers(devices);
        const Control control;
        StreamedPeers(peers.devices, plan_of(n, 8, strip, 3), problem.values(), Cycles::possible,
                      control, kPiece)
            .run();
        problem.expect_solved();
        if (testing::Test::HasFailure()) FAIL() << devices << " devices, n " << n;
      }
    }
  }
}

TEST(StreamedPeers, SolveThroughTwoBuffersAndWidePanels) {
  for (const std::int64_t width : {4, 12, 32}) {
    SmallProblem problem(150, kTile, false);
    const StrictPeers peers(3);
    const Control control;
    StreamedPeers(peers.devices, plan_of(150, width, 4, 2), problem.values(), Cycles::possible,
                  control, kPiece)
        .run();
    problem.expect_solved();
  }
}

TEST(StreamedPeers, TakeTheBytesThatThePlanSays) {
  const StrictPeers one(1);
  for (const int devices : {2, 3}) {
    for (const std::int64_t memory : {32000, 50000, 90000}) {
      SmallProblem problem(150, kTile, false);
      const OffloadPlan plan =
          plan_streamed_peers(problem_of(150, memory), devices, kRates, *one.devices[0]);
      EXPECT_LE(plan.device_bytes, memory);
      const StrictPeers enough(devices, plan.device_bytes), less(devices, plan.device_bytes - 1);
      const Control control;
      {
        StreamedPeers place(enough.devices, plan, problem.values(), Cycles::possible, control);
        for (const auto* const device : enough.devices) EXPECT_EQ(device->memory_free(), 0);
        place.run();
      }
      problem.expect_solved();
      EXPECT_EQ(error_of([&] {
                  StreamedPeers(less.devices, plan, problem.values(), Cycles::possible, control);
                }).kind(),
                ErrorKind::does_not_fit);
    }
  }
  EXPECT_EQ(error_of([&] {
              plan_streamed_peers(problem_of(150, 100), 2, kRates, *one.devices[0]);
            }).kind(),
            ErrorKind::does_not_fit);
}

TEST(StreamedPeers, ANegativeCycleEndsAll) {
  for (const std::int64_t last : {3, 33, 120}) {
    SmallProblem problem(130, kTile, false);
    problem.value(2, last) = 1;
    problem.value(last, 2) = -2;
    const StrictPeers peers(3);
    const Control control;
    const Error error = error_of([&] {
      StreamedPeers(peers.devices, plan_of(130, 8, 8, 3), problem.values(), Cycles::possible,
                    control)
          .run();
    });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
  }
}

TEST(StreamedPeers, AllEndWhereTheCallerAsks) {
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * kTile * 2; };
  const Control control{&recorder, &recorder.cancellation};
  SmallProblem problem(200, kTile, false);
  const StrictPeers peers(2);
  const Error error = error_of([&] {
    StreamedPeers(peers.devices, plan_of(200, 8, 8, 3), problem.values(), Cycles::possible, control)
        .run();
  });
  EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  EXPECT_LT(recorder.done, 200 * 200 * kTile * 12);  // of 25 steps
}

TEST(StreamedPeers, ProgressEndsAtItsTotal) {
  RecordedProgress recorder;
  const Control control{&recorder, nullptr};
  SmallProblem problem(60, kTile, false);
  const StrictPeers peers(2);
  StreamedPeers(peers.devices, plan_of(60, 8, 8, 3), problem.values(), Cycles::possible, control)
      .run();
  EXPECT_TRUE(recorder.complete());
  EXPECT_EQ(recorder.ended, 1);
}

}  // namespace
}  // namespace apsp::places
