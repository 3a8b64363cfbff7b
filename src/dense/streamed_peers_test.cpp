// Matrices that stream through several devices: strict ones, each with a thread. They refuse every
// access to each other's memory, or to the host's, that no event orders.
#include "dense/peer_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict_peers.hpp"

namespace apsp::dense {
namespace {

using kernels::Cycles;

constexpr std::int64_t kTile = 8;
constexpr std::int64_t kPiece = 300;  // bytes: most panels are passed on in several
constexpr OffloadRates kRates{1e12, 1e10, 1e10, 1.5e10};

OffloadProblem problem_of(Shape shape, int devices, std::int64_t n, std::int64_t memory) {
  return {.n = n,
          .value_size = 4,
          .tile = kTile,
          .device_memory = memory,
          .shape = shape,
          .devices = devices};
}

/// A plan that a planner might not choose.
OffloadPlan plan_of(Shape shape, int devices, std::int64_t n, std::int64_t width,
                    std::int64_t strip, std::int64_t buffers) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  OffloadPlan plan{.width = width, .buffers = buffers, .strip_rows = strip};
  plan.buffer_values = strip * sizes->stride(n) + width * sizes->stride(4);
  plan.shape = shape;
  plan.devices = devices;
  return plan;
}

void expect_solved(const OffloadPlan& plan, std::int64_t n, bool tracked = false) {
  SmallProblem problem(n, kTile, plan.shape == Shape::symmetric);
  const StrictPeers peers(plan.devices);
  const Control control;
  StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control,
                tracked ? problem.via() : TiledMatrix{}, kPiece)
      .run();
  problem.expect_solved();
  if (tracked) problem.expect_via();
}

TEST(StreamedPeers, SolveEverySize) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int devices : {1, 2, 3, 4}) {
      for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 45, 71}) {
        SCOPED_TRACE(testing::Message() << devices << " devices, n " << n);
        for (const bool tracked : {false, true}) {
          expect_solved(plan_of(shape, devices, n, 8, 4, 3), n, tracked);
        }
      }
    }
  }
}

TEST(StreamedPeers, SolveByAnyPlan) {
  constexpr std::int64_t kSide = 93;
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const int devices : {2, 3}) {
      for (const std::int64_t width : {12, 20, 40, 96}) {
        for (const std::int64_t strip : {4, 12}) {
          for (const std::int64_t buffers : {2, 5}) {
            SCOPED_TRACE(testing::Message() << devices << " devices, width " << width << ", "
                                            << buffers << " of " << strip);
            expect_solved(plan_of(shape, devices, kSide, width, strip, buffers), kSide);
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
    StreamedPeers place(peers.devices, plan_of(shape, 2, 71, 8, 4, 3), problem.values(),
                        Cycles::possible, control);
    for (int times = 0; times < 2; ++times) place.run();
    problem.expect_solved();
  }
}

TEST(StreamedPeers, OfASymmetricMatrixHalfIsCopiedAndNothingReadAboveTheDiagonal) {
  constexpr std::int64_t kSide = 96;
  const auto copied_out = [](Shape shape) {
    const OffloadPlan plan = plan_of(shape, 2, kSide, 8, 4, 3);
    SmallProblem problem(kSide, kTile, true);
    for (std::int64_t i = 0; i < kSide && shape == Shape::symmetric; ++i) {
      for (std::int64_t j = (i / kTile + 1) * kTile; j < kSide; ++j) problem.value(i, j) = -1000;
    }
    const StrictPeers peers(2);
    const Control control;
    StreamedPeers(peers.devices, plan, problem.values(), Cycles::possible, control, {}, kPiece)
        .run();
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

void expect_the_bytes_of_the_plan(Shape shape, int devices, std::int64_t n, std::int64_t memory) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  const OffloadPlan plan = plan_offload(problem_of(shape, devices, n, memory), kRates, *sizes);
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
    const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
    const std::int64_t least = least_offload_bytes(problem_of(shape, 2, 150, 0), *sizes);
    expect_the_bytes_of_the_plan(shape, 2, 150, least);
    const Error error =
        error_of([&] { plan_offload(problem_of(shape, 2, 150, least - 1), kRates, *sizes); });
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
    EXPECT_THAT(error.what(), testing::HasSubstr("the memory of each device"));
  }
  expect_the_bytes_of_the_plan(Shape::symmetric, 2, 3, 50000);  // one tile
}

TEST(StreamedPeers, ANegativeCycleEndsAll) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    const OffloadPlan plan = plan_of(shape, 3, 130, 8, 8, 3);
    for (const std::int64_t last : {3, 33, 120}) {
      SmallProblem problem(130, kTile, plan.shape == Shape::symmetric);
      problem.value(2, last) = shape == Shape::symmetric ? -2 : 1;
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
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    const OffloadPlan plan = plan_of(shape, 2, 200, 8, 8, 3);
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
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    const OffloadPlan plan = plan_of(shape, 2, 60, 8, 8, 3);
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
}  // namespace apsp::dense
