// A device's Place on the strict device, which forgives nothing.
#include "dense/device_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <stdexcept>
#include <vector>

#include "support/bit_problem.hpp"
#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::dense {
namespace {

using kernels::Cycles;

constexpr std::int64_t kMemory = 8 << 20;

std::unique_ptr<kernels::ComputeDevice> make_device(std::int64_t memory = kMemory) {
  return kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
}

TEST(DeviceMemory, SolvesEverySizeAndShapeWithAndWithoutVia) {
  for (const std::int64_t n : {0, 1, 3, 7, 8, 9, 15, 16, 17, 29, 40, 41, 71}) {
    for (const Shape shape : {Shape::full, Shape::symmetric}) {
      for (const bool tracked : {false, true}) {
        SmallProblem problem(n, 8, shape == Shape::symmetric);
        const auto device = make_device();
        const Control control;
        DeviceMemory(*device, problem.values(), shape, Cycles::possible, control,
                     tracked ? problem.via() : TiledMatrix{})
            .run();
        problem.expect_solved();
        if (tracked) problem.expect_via();
        EXPECT_EQ(device->memory_free(), kMemory) << "everything is given back";
      }
    }
  }
}

TEST(DeviceMemory, ManyTilesGoThroughStripsOfSeveral) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    SmallProblem problem(4 * 37 + 1, 4, shape == Shape::symmetric);
    const auto device = make_device();
    const Control control;
    DeviceMemory(*device, problem.values(), shape, Cycles::possible, control, problem.via()).run();
    problem.expect_solved();
    problem.expect_via();
  }
}

TEST(DeviceMemory, GoesOnAfterStepsThatHaveBeenDone) {
  const Control control;
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const std::int64_t done : {0, 8, 24, 56, 64}) {
      SmallProblem problem(71, 8, shape == Shape::symmetric, 12);
      problem.solve_before(done);
      const auto device = make_device();
      DeviceMemory memory(*device, problem.values(), shape, Cycles::possible, control);
      memory.upload();
      memory.solve_from(Tile(done / 8));
      memory.download();
      problem.expect_solved();
    }
  }
}

TEST(DeviceMemory, ThePartsAloneSolveTooAndAgain) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    SmallProblem problem(45, 8, shape == Shape::symmetric);
    const auto device = make_device();
    const Control control;
    DeviceMemory memory(*device, problem.values(), shape, Cycles::possible, control);
    for (int times = 0; times < 2; ++times) {
      memory.upload();
      memory.solve();
    }
    memory.solve();
    memory.download();
    problem.expect_solved();
  }
}

TEST(ResidentMatrix, SolvesInARowShareThePanels) {
  const auto device = make_device();
  const kernels::QueueId queue = device->make_queue();
  SmallProblem first(45, 8, false), second(37, 8, false);
  {
    std::vector<DeviceBuffer> memory;
    std::vector<TiledMatrix> there;
    for (SmallProblem* problem : {&first, &second}) {
      const TiledMatrix host = problem->values();
      const std::int64_t stride = device->tiles().stride(host.n());
      memory.emplace_back(*device, host.n() * stride * 4);
      there.push_back({{memory.back().data(), host.n(), host.n(), stride}, 4, 8});
      device->copy_in(queue, there.back().matrix, host.matrix, 4);
    }
    device->synchronize(queue);
    ResidentMatrix matrix(*device, there[0], Shape::full, Cycles::possible, nullptr);
    matrix.solve({there[0]});
    device->wait(queue, matrix.solve({there[1]}));
    device->copy_out(queue, first.values().matrix, there[0].matrix, 4);
    device->copy_out(queue, second.values().matrix, there[1].matrix, 4);
    device->synchronize(queue);
  }
  first.expect_solved();
  second.expect_solved();
}

TEST(DeviceMemory, TakesTheBytesThatItSays) {
  for (const bool tracked : {false, true}) {
    for (const std::int64_t n : {0, 5, 8, 30}) {
      SmallProblem problem(n, 8, false);
      const Control control;
      const TiledMatrix via = tracked ? problem.via() : TiledMatrix{};
      const std::int64_t bytes =
          DeviceMemory::device_bytes(make_device()->tiles(), problem.values(), tracked);
      const auto enough = make_device(bytes);
      {
        DeviceMemory memory(*enough, problem.values(), Shape::full, Cycles::possible, control, via);
        EXPECT_EQ(enough->memory_free(), 0) << "n " << n;
      }
      if (bytes == 0) continue;
      const auto less = make_device(bytes - 1);
      EXPECT_EQ(error_of([&] {
                  DeviceMemory(*less, problem.values(), Shape::full, Cycles::possible, control,
                               via);
                }).kind(),
                ErrorKind::does_not_fit)
          << "n " << n;
      EXPECT_EQ(less->memory_free(), bytes - 1);
    }
  }
}

TEST(DeviceMemory, ClosesMatricesOfBits) {
  for (const std::int64_t n : {1, 31, 32, 33, 127, 128, 129, 300, 417}) {
    BitProblem problem(n, 1);
    const auto device = kernels::strict::make_bit_device(kMemory);
    const Control control;
    DeviceMemory(*device, problem.values(), Shape::full, Cycles::possible, control).run();
    EXPECT_TRUE(problem.solved()) << "n " << n;
  }
}

TEST(DeviceMemory, FindsANegativeCycle) {
  for (const std::int64_t last : {3, 12, 33}) {
    SmallProblem problem(34, 8, false);
    problem.value(2, last) = 1;
    problem.value(last, 2) = -2;
    const auto device = make_device();
    const Control control;
    const Error error = error_of([&] {
      DeviceMemory(*device, problem.values(), Shape::full, Cycles::possible, control).run();
    });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    ASSERT_EQ(error.cycle().vertices.size(), 1u);
    EXPECT_LE(error.cycle().vertices[0], static_cast<std::uint32_t>(last));
  }
}

TEST(DeviceMemory, ProgressEndsAtItsTotal) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    for (const std::int64_t n : {5, 16, 60}) {
      SmallProblem problem(n, 8, shape == Shape::symmetric);
      const auto device = make_device();
      RecordedProgress recorder;
      const Control control{&recorder, nullptr};
      DeviceMemory(*device, problem.values(), shape, Cycles::possible, control).run();
      EXPECT_TRUE(recorder.complete()) << "n " << n;
    }
  }
}

TEST(DeviceMemory, StopsWhereItIsAsked) {
  SmallProblem problem(80, 8, false);
  const auto device = make_device();
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done >= 80 * 80 * 8 * 3; };
  const Control control{&recorder, &recorder.cancellation};
  EXPECT_EQ(error_of([&] {
              DeviceMemory(*device, problem.values(), Shape::full, Cycles::possible, control).run();
            }).kind(),
            ErrorKind::interrupted);
  EXPECT_LT(recorder.done, 80 * 80 * 8 * 5);
  EXPECT_EQ(device->memory_free(), kMemory);
}

TEST(DeviceMemory, EndsWithWhatTheProgressThrows) {
  for (const Shape shape : {Shape::full, Shape::symmetric}) {
    SmallProblem problem(80, 8, shape == Shape::symmetric);
    const auto device = make_device();
    RecordedProgress recorder;
    recorder.cancel_when = []() -> bool { throw std::runtime_error("progress"); };
    const Control control{&recorder, nullptr};
    EXPECT_THROW(DeviceMemory(*device, problem.values(), shape, Cycles::possible, control).run(),
                 std::runtime_error);
    EXPECT_EQ(device->memory_free(), kMemory);
  }
}

}  // namespace
}  // namespace apsp::dense
