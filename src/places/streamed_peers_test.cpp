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

/// A plan that a planner might not choose, of panels that all make together.
OffloadPlan shared_plan(Shape shape, int devices, std::int64_t n, std::int64_t width,
                        std::int64_t strip, std::int64_t buffers) {
  OffloadPlan plan = plan_of(n, width, strip, buffers);
  plan.shape = shape;
  plan.devices = devices;
  plan.buffer_values += width * StrictPeers(1).devices[0]->stride(4);
  return plan;
}

void expect_solved(const OffloadPlan& plan, std::int64_t n) {
  SmallProblem problem(n, kTile, plan.shape == Shape::symmetric);
  const StrictPeers peers(plan.devices);
  const Control control;
  StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control, kPiece).run();
  problem.expect_solved();
}

TEST(StreamedPeers, MakePanelsTogether) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int devices : {1, 2, 3, 4}) {
      if (devices == 1 && shape == Shape::full) continue;
      for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 45, 71}) {
        SCOPED_TRACE(testing::Message() << devices << " devices, n " << n);
        expect_solved(shared_plan(shape, devices, n, 8, 4, 3), n);
      }
    }
  }
}

TEST(StreamedPeers, MakePanelsTogetherByAnyPlan) {
  constexpr std::int64_t kSide = 93;
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int devices : {2, 3}) {
      for (const std::int64_t width : {12, 20, 40, 96}) {
        for (const std::int64_t strip : {4, 12}) {
          for (const std::int64_t buffers : {2, 5}) {
            SCOPED_TRACE(testing::Message() << devices << " devices, width " << width << ", "
                                            << buffers << " of " << strip);
            expect_solved(shared_plan(shape, devices, kSide, width, strip, buffers), kSide);
          }
        }
      }
    }
  }
}

TEST(StreamedPeers, SolveAgain) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    SmallProblem problem(71, kTile, shape == Shape::symmetric);
    const StrictPeers peers(2);
    const Control control;
    StreamedPeers place(peers.devices, shared_plan(shape, 2, 71, 8, 4, 3), problem.values(),
                        Cycles::possible, control);
    for (int times = 0; times < 2; ++times) place.run();
    problem.expect_solved();
  }
}

TEST(StreamedPeers, OfASymmetricMatrixHalfIsCopiedAndNothingReadAboveTheDiagonal) {
  constexpr std::int64_t kSide = 96;
  const auto copied_out = [](Shape shape) {
    const OffloadPlan plan = shared_plan(shape, 2, kSide, 8, 4, 3);
    SmallProblem problem(kSide, kTile, true);
    for (std::int64_t i = 0; i < kSide && shape == Shape::symmetric; ++i) {
      for (std::int64_t j = (i / kTile + 1) * kTile; j < kSide; ++j) problem.value(i, j) = -1000;
    }
    const StrictPeers peers(2);
    const Control control;
    StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control, kPiece).run();
    problem.expect_solved();
    double sum = 0;
    for (const auto* const device : peers.devices) {
      const auto bytes = static_cast<double>(kernels::strict::copied_out(*device));
      EXPECT_GT(bytes, sum / 3) << "each has its share";
      sum += bytes;
    }
    return sum;
  };
  // Twelve steps of a half, and once what is above the diagonal.
  EXPECT_NEAR(copied_out(Shape::symmetric) / copied_out(Shape::full), 6.5 / 12, 0.03);
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

void expect_the_bytes_of_the_plan(Shape shape, int devices, std::int64_t n, std::int64_t memory) {
  const StrictPeers one(1);
  OffloadProblem offload = problem_of(n, memory);
  offload.shape = shape;
  const OffloadPlan plan = plan_streamed_peers(offload, devices, kRates, *one.devices[0]);
  EXPECT_LE(plan.device_bytes, memory);
  SmallProblem problem(n, kTile, shape == Shape::symmetric);
  const StrictPeers enough(devices, plan.device_bytes), less(devices, plan.device_bytes - 1);
  const Control control;
  {
    StreamedPeers place(enough.devices, plan, problem.values(), Cycles::possible, control);
    for (const auto* const device : enough.devices) EXPECT_EQ(device->memory_free(), 0);
    place.run();
  }
  problem.expect_solved();
  for (const auto* const device : enough.devices) {
    EXPECT_EQ(device->memory_free(), plan.device_bytes) << "everything is given back";
  }
  EXPECT_EQ(error_of([&] {
              StreamedPeers(less.devices, plan, problem.values(), Cycles::possible, control);
            }).kind(),
            ErrorKind::does_not_fit);
}

TEST(StreamedPeers, TakeTheBytesThatThePlanSays) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int devices : {2, 3, 4}) {
      for (const std::int64_t memory : {32000, 50000, 90000, 400000}) {
        SCOPED_TRACE(testing::Message() << devices << " devices of " << memory << " bytes");
        expect_the_bytes_of_the_plan(shape, devices, 150, memory);
      }
    }
    OffloadProblem too_large = problem_of(150, 100);
    too_large.shape = shape;
    EXPECT_EQ(error_of([&] {
                plan_streamed_peers(too_large, 2, kRates, *StrictPeers(1).devices[0]);
              }).kind(),
              ErrorKind::does_not_fit);
  }
  expect_the_bytes_of_the_plan(Shape::symmetric, 2, 3, 50000);  // one tile
}

/// One for rows of each, and for panels of all.
std::vector<OffloadPlan> every_kind_of_plan(int devices, std::int64_t n) {
  return {plan_of(n, 8, 8, 3), shared_plan(Shape::full, devices, n, 8, 8, 3),
          shared_plan(Shape::symmetric, devices, n, 8, 8, 3)};
}

TEST(StreamedPeers, ANegativeCycleEndsAll) {
  for (const OffloadPlan& plan : every_kind_of_plan(3, 130)) {
    for (const std::int64_t last : {3, 33, 120}) {
      SmallProblem problem(130, kTile, plan.shape == Shape::symmetric);
      problem.value(2, last) = plan.shape == Shape::symmetric ? -2 : 1;
      problem.value(last, 2) = -2;
      const StrictPeers peers(3);
      const Control control;
      const Error error = error_of([&] {
        StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control).run();
      });
      EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    }
  }
}

TEST(StreamedPeers, AllEndWhereTheCallerAsks) {
  for (const OffloadPlan& plan : every_kind_of_plan(2, 200)) {
    RecordedProgress recorder;
    recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * kTile * 2; };
    const Control control{&recorder, &recorder.cancellation};
    SmallProblem problem(200, kTile, plan.shape == Shape::symmetric);
    const StrictPeers peers(2);
    const Error error = error_of([&] {
      StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control).run();
    });
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    EXPECT_LT(recorder.done, 200 * 200 * kTile * 12);  // of 25 steps
  }
}

TEST(StreamedPeers, ProgressEndsAtItsTotal) {
  for (const OffloadPlan& plan : every_kind_of_plan(2, 60)) {
    RecordedProgress recorder;
    const Control control{&recorder, nullptr};
    SmallProblem problem(60, kTile, plan.shape == Shape::symmetric);
    const StrictPeers peers(2);
    StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control).run();
    EXPECT_TRUE(recorder.complete());
    EXPECT_EQ(recorder.ended, 1);
  }
}

}  // namespace
}  // namespace apsp::places
