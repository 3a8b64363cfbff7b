// The streamed Place on a strict device of very little memory.
#include "dense/streamed_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <set>

#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::dense {
namespace {

using kernels::Cycles;

constexpr std::int64_t kTile = 8;
/// Copies take about as long as work, so that plans differ from cap to cap.
constexpr OffloadRates kRates{.relaxations = 1e9, .in = 1e9, .out = 1e9, .both = 1.6e9};

std::unique_ptr<kernels::ComputeDevice> make_device(std::int64_t memory) {
  return kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
}

OffloadProblem problem_of(std::int64_t n, bool tracked, std::int64_t memory,
                          Shape shape = Shape::full) {
  return {.n = n,
          .value_size = 4,
          .tracks_via = tracked,
          .tile = kTile,
          .device_memory = memory,
          .shape = shape};
}

/// Solves with exactly the memory of the plan.
void expect_solved(std::int64_t n, bool tracked, const OffloadPlan& plan) {
  SmallProblem problem(n, kTile, plan.shape == Shape::symmetric);
  const auto device = make_device(plan.device_bytes);
  const Control control;
  StreamedMemory(*device, plan, problem.values(), Cycles::possible, control,
                 tracked ? problem.via() : TiledMatrix{})
      .run();
  problem.expect_solved();
  if (tracked) problem.expect_via();
  EXPECT_EQ(device->memory_free(), plan.device_bytes) << "everything is given back";
}

/// With more and more memory, until all of the matrix resides; how many rows do.
std::set<std::int64_t> expect_solved_with_any_memory(std::int64_t n, bool tracked, Shape shape) {
  std::int64_t memory =
      least_offload_bytes(problem_of(n, tracked, 0, shape), make_device(0)->tiles());
  std::set<std::int64_t> residents;
  for (; !residents.contains(n) && memory < (16 << 20); memory += memory / 9) {
    const OffloadPlan plan =
        plan_offload(problem_of(n, tracked, memory, shape), kRates, make_device(0)->tiles());
    SCOPED_TRACE(testing::Message()
                 << "n " << n << ", memory " << memory << ", width " << plan.width << ", resident "
                 << plan.resident_rows << ", buffers " << plan.buffers << " of " << plan.strip_rows
                 << " rows");
    EXPECT_LE(plan.device_bytes, memory);
    expect_solved(n, tracked, plan);
    residents.insert(plan.resident_rows);
  }
  return residents;
}

TEST(StreamedMemory, SolvesFromTheLeastMemoryToAllOfIt) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const bool tracked : {false, true}) {
      for (const std::int64_t n : {1, 3, 4, 5, 8, 16, 17, 33, 61}) {
        const auto residents = expect_solved_with_any_memory(n, tracked, shape);
        EXPECT_TRUE(residents.contains(n)) << "n " << n;
        if (n == 61) {
          EXPECT_GE(residents.size(), 4u) << "none, some, all";
        }
      }
    }
  }
}

TEST(StreamedMemory, GoesOnAfterStepsThatHaveBeenDone) {
  const Control control;
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const std::int64_t memory : {16 << 10, 24 << 10, 4 << 20}) {
      constexpr std::int64_t kVertices = 61;
      const OffloadPlan plan = plan_offload(problem_of(kVertices, false, memory, shape), kRates,
                                            make_device(0)->tiles());
      for (std::int64_t done = 0; done < kVertices; done += plan.width) {
        SCOPED_TRACE(testing::Message() << "width " << plan.width << ", resident "
                                        << plan.resident_rows << ", done " << done);
        SmallProblem problem(kVertices, kTile, shape == Shape::symmetric, 12);
        problem.solve_before(done);
        const auto device = make_device(plan.device_bytes);
        StreamedMemory(*device, plan, problem.values(), Cycles::possible, control)
            .run_from(Tile(done / plan.width));
        problem.expect_solved();
      }
    }
  }
}

/// A plan that a planner would not choose, of so many tiles of panels that stay.
void expect_solved_by(OffloadPlan plan, std::int64_t n, std::int64_t tiles_there) {
  plan.resident_rows = std::min(tiles_there * plan.width, n);
  if (plan.resident_rows >= n) return;
  const auto sizes = make_device(0);
  plan.buffer_values =
      std::max(plan.strip_rows * sizes->tiles().stride(n), plan.width * sizes->tiles().stride(4)) +
      4 * sizes->tiles().stride(plan.width);
  plan.device_bytes = 4 << 20;
  SCOPED_TRACE(testing::Message() << "n " << n << ", width " << plan.width << ", strip "
                                  << plan.strip_rows << ", " << plan.buffers
                                  << " buffers, resident " << plan.resident_rows);
  expect_solved(n, tiles_there == 1, plan);
}

TEST(StreamedMemory, SolvesByAnyPlan) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const std::int64_t n : {29, 48}) {
      for (const std::int64_t width : {4, 12, 20, 48}) {
        for (const std::int64_t strip : {4, 12}) {
          for (const std::int64_t buffers : {1, 2, 3, 60}) {  // 60: all of a step
            if (shape == Shape::symmetric && buffers == 1) continue;
            for (const std::int64_t tiles_there : {0, 1, 2}) {
              OffloadPlan plan{width, 0, buffers, strip};
              plan.shape = shape;
              expect_solved_by(plan, n, tiles_there);
            }
          }
        }
      }
    }
  }
}

TEST(StreamedMemory, ASymmetricMatrixMovesHalf) {
  constexpr std::int64_t kSide = 96;
  const auto copied_out = [](Shape shape) {
    OffloadPlan plan{8, 0, 3, 4, 4 * 128};
    plan.device_bytes = 4 << 20;
    plan.shape = shape;
    SmallProblem problem(kSide, kTile, true);
    const auto device = make_device(plan.device_bytes);
    const Control control;
    StreamedMemory(*device, plan, problem.values(), Cycles::possible, control).run();
    problem.expect_solved();
    return static_cast<double>(kernels::strict::copied_out(*device));
  };
  // Twelve steps of a half, and once what is above the diagonal.
  EXPECT_NEAR(copied_out(Shape::symmetric) / copied_out(Shape::full), 6.5 / 12, 0.03);
}

TEST(StreamedMemory, NothingToDo) {
  const OffloadPlan plan = plan_offload(problem_of(0, false, 0), kRates, make_device(0)->tiles());
  expect_solved(0, false, plan);
}

TEST(StreamedMemory, FindsANegativeCycle) {
  for (const std::int64_t last : {3, 12, 33}) {
    SmallProblem problem(34, kTile, false);
    problem.value(2, last) = 1;
    problem.value(last, 2) = -2;
    const std::int64_t least =
        least_offload_bytes(problem_of(34, false, 0), make_device(0)->tiles());
    const OffloadPlan plan =
        plan_offload(problem_of(34, false, least + 500), kRates, make_device(0)->tiles());
    ASSERT_GT(plan.buffers, 0);
    const auto device = make_device(plan.device_bytes);
    const Control control;
    const Error error = error_of(
        [&] { StreamedMemory(*device, plan, problem.values(), Cycles::possible, control).run(); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_LE(error.cycle().vertices.at(0), static_cast<std::uint32_t>(last));
  }
}

TEST(StreamedMemory, ProgressEndsAtItsTotalAndStopsWhereItIsAsked) {
  for (const bool whole : {false, true}) {
    const OffloadPlan plan =
        whole ? OffloadPlan{8, 61, 0, 0, 0, 4 << 20} : OffloadPlan{8, 8, 2, 4, 4 * 128, 4 << 20};
    for (const bool stop : {false, true}) {
      SmallProblem problem(61, kTile, false);
      const auto device = make_device(plan.device_bytes);
      RecordedProgress recorder;
      if (stop) recorder.cancel_when = [&] { return recorder.done >= 61 * 61 * 16; };
      const Control control{&recorder, &recorder.cancellation};
      StreamedMemory memory(*device, plan, problem.values(), Cycles::possible, control);
      if (!stop) {
        memory.run();
        EXPECT_TRUE(recorder.complete());
        problem.expect_solved();
        continue;
      }
      EXPECT_EQ(error_of([&] { memory.run(); }).kind(), ErrorKind::interrupted);
      EXPECT_LT(recorder.done, 61 * 61 * 40);
    }
  }
}

TEST(StreamedMemory, APlanThatDoesNotFitIsRefused) {
  SmallProblem problem(61, kTile, false);
  const OffloadPlan plan =
      plan_offload(problem_of(61, false, 20000), kRates, make_device(0)->tiles());
  const auto device = make_device(plan.device_bytes - 1);
  const Control control;
  EXPECT_EQ(error_of([&] {
              StreamedMemory(*device, plan, problem.values(), Cycles::possible, control);
            }).kind(),
            ErrorKind::does_not_fit);
  EXPECT_EQ(device->memory_free(), plan.device_bytes - 1);
}

TEST(StreamedMemory, EndsWithWhatTheProgressThrows) {
  for (const std::int64_t memory : {20000, 40000}) {
    SmallProblem problem(61, kTile, false);
    const OffloadPlan plan =
        plan_offload(problem_of(61, false, memory), kRates, make_device(0)->tiles());
    const auto device = make_device(plan.device_bytes);
    RecordedProgress recorder;
    recorder.cancel_when = []() -> bool { throw std::runtime_error("progress"); };
    const Control control{&recorder, nullptr};
    EXPECT_THROW(StreamedMemory(*device, plan, problem.values(), Cycles::possible, control).run(),
                 std::runtime_error);
    EXPECT_EQ(device->memory_free(), plan.device_bytes);
  }
}

}  // namespace
}  // namespace apsp::dense
