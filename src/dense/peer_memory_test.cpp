// A matrix on several devices of one process: strict ones, each with a thread. They refuse every
// access to each other's memory that no event orders.
#include "dense/peer_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "support/bit_problem.hpp"
#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"
#include "support/strict_peers.hpp"

namespace apsp::dense {
namespace {

using kernels::Cycles;

constexpr std::int64_t kMemory = StrictPeers::kMemory;
constexpr std::int64_t kTile = 8;
constexpr std::int64_t kPiece = 300;  // bytes: most panels are passed on in several

struct Grid {
  int rows, cols;
};
constexpr Grid kGrids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4}, {4, 1}, {2, 3}, {3, 2}, {3, 3}};

TEST(PeerMemory, SolvesEverySizeOnEveryGrid) {
  for (const auto& [rows, cols] : kGrids) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 40, 45, 71}) {
      for (const bool tracked : {false, true}) {
        SmallProblem problem(n, kTile, false);
        StrictPeers peers(rows * cols);
        const Control control;
        PeerMemory(peers.devices, cols, problem.values(), Cycles::possible, control,
                   tracked ? problem.via() : TiledMatrix{}, kPiece)
            .run();
        problem.expect_solved();
        if (tracked) problem.expect_via();
        for (const auto* const device : peers.devices) {
          EXPECT_EQ(device->memory_free(), kMemory) << "everything is given back";
        }
        if (testing::Test::HasFailure()) FAIL() << rows << " x " << cols << ", n " << n;
      }
    }
  }
}

TEST(PeerMemory, SolvesHalfOfASymmetricMatrixOnSquareGrids) {
  for (const int side : {1, 2, 3, 4}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 40, 45, 71, 139}) {
      SmallProblem problem(n, kTile, true);
      for (std::int64_t i = 0; i < n; ++i) {  // nobody reads these
        for (std::int64_t j = (i / kTile + 1) * kTile; j < n; ++j) problem.value(i, j) = -1000;
      }
      const std::int64_t bytes = DeviceMemory::device_bytes(
          StrictPeers(1).devices[0]->tiles(), problem.values(), false, side, side, true);
      StrictPeers peers(side * side, bytes);
      const Control control;
      PeerMemory(peers.devices, side, problem.values(), Cycles::possible, control, {}, kPiece,
                 Shape::symmetric)
          .run();
      problem.expect_solved();
      if (testing::Test::HasFailure()) FAIL() << side << " a side, n " << n;
    }
  }
}

TEST(PeerMemory, SquaresAreOfAsManyPlacesForEach) {
  const int sides[] = {1, 2, 3, 2, 0, 0, 0, 4, 3};
  for (int devices = 1; devices <= 9; ++devices) {
    EXPECT_EQ(PeerMemory::square(devices), sides[devices - 1]) << devices;
  }
}

TEST(PeerMemory, IntermediateVerticesAreThoseOfOneDevice) {
  SmallProblem together(61, kTile, false), alone(61, kTile, false);
  const Control control;
  StrictPeers peers(6);
  PeerMemory(peers.devices, 3, together.values(), Cycles::possible, control, together.via(), kPiece)
      .run();
  StrictPeers one(1);
  DeviceMemory(*one.devices[0], alone.values(), Shape::full, Cycles::possible, control, alone.via())
      .run();
  for (const auto plane : {&SmallProblem::values, &SmallProblem::via}) {
    const TiledMatrix here = (together.*plane)(), there = (alone.*plane)();
    const auto* const a = static_cast<const std::int32_t*>(here.matrix.data);
    const auto* const b = static_cast<const std::int32_t*>(there.matrix.data);
    for (std::int64_t i = 0; i < 61 * here.matrix.stride; ++i) ASSERT_EQ(a[i], b[i]) << i;
  }
}

TEST(PeerMemory, ManyTilesGoThroughStripsOfSeveral) {
  for (const auto& [rows, cols] : {Grid{2, 1}, {2, 2}, {4, 1}}) {
    SmallProblem problem(4 * 37 + 1, 4, false);
    StrictPeers peers(rows * cols);
    const Control control;
    PeerMemory(peers.devices, cols, problem.values(), Cycles::possible, control, problem.via(),
               kPiece)
        .run();
    problem.expect_solved();
    problem.expect_via();
  }
}

TEST(PeerMemory, ThePartsAloneSolveTooAndAgain) {
  SmallProblem problem(45, kTile, false);
  StrictPeers peers(4);
  const Control control;
  PeerMemory memory(peers.devices, 2, problem.values(), Cycles::possible, control);
  for (int times = 0; times < 2; ++times) {
    memory.upload();
    memory.solve();
  }
  memory.solve();
  memory.download();
  problem.expect_solved();
}

TEST(PeerMemory, ClosesMatricesOfBits) {
  for (const auto& [rows, cols] : {Grid{1, 2}, {2, 1}, {2, 2}, {2, 3}, {4, 1}}) {
    for (const std::int64_t n : {1, 33, 128, 129, 417}) {
      BitProblem problem(n);
      StrictPeers peers(rows * cols, [] { return kernels::strict::make_bit_device(kMemory); });
      const Control control;
      PeerMemory(peers.devices, cols, problem.values(), Cycles::excluded, control).run();
      EXPECT_TRUE(problem.solved()) << rows << " x " << cols << ", n " << n;
    }
  }
}

TEST(PeerMemory, SolvesEveryTypeOfValue) {
  const auto check = [](ValueType type, auto zero, Semiring semiring) {
    using Value = decltype(zero);
    constexpr std::int64_t kSide = 53;
    base::SplitMix64 random(7);
    std::vector<Value> values(kSide * kSide);
    for (Value& value : values) value = static_cast<Value>(1 + random.below(1000));
    for (std::int64_t i = 0; i < kSide; ++i) values[static_cast<std::size_t>(i * (kSide + 1))] = 0;
    std::vector<Value> alone = values;
    const auto make = [=] { return kernels::strict::make_device(semiring, type, kMemory); };
    const auto tiled = [](std::vector<Value>& matrix) {
      return TiledMatrix{{matrix.data(), kSide, kSide, kSide}, sizeof(Value), kTile};
    };
    const Control control;
    const StrictPeers peers(6, make), one(1, make);
    PeerMemory(peers.devices, 2, tiled(values), Cycles::excluded, control, {}, kPiece).run();
    DeviceMemory(*one.devices[0], tiled(alone), Shape::full, Cycles::excluded, control).run();
    EXPECT_EQ(values, alone) << name(type) << ", " << name(semiring);
  };
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    check(ValueType::f32, float{}, semiring);
    check(ValueType::f64, double{}, semiring);
    check(ValueType::i32, std::int32_t{}, semiring);
    check(ValueType::u16, std::uint16_t{}, semiring);
  }
}

TEST(PeerMemory, TakesTheBytesThatItSays) {
  for (const Grid grid : {Grid{1, 2}, {2, 1}, {2, 2}, {3, 3}}) {
    const int rows = grid.rows, cols = grid.cols;
    for (const bool tracked : {false, true}) {
      for (const std::int64_t n : {8, 30, 71}) {
        SmallProblem problem(n, kTile, false);
        const Control control;
        const TiledMatrix via = tracked ? problem.via() : TiledMatrix{};
        const std::int64_t bytes = DeviceMemory::device_bytes(
            StrictPeers(1).devices[0]->tiles(), problem.values(), tracked, rows, cols);
        StrictPeers enough(rows * cols, bytes);
        {
          const PeerMemory memory(enough.devices, cols, problem.values(), Cycles::possible, control,
                                  via);
          EXPECT_EQ(enough.devices[0]->memory_free(), 0) << rows << " x " << cols << ", n " << n;
        }
        StrictPeers less(rows * cols, bytes - 1);
        EXPECT_EQ(error_of([&] {
                    PeerMemory(less.devices, cols, problem.values(), Cycles::possible, control,
                               via);
                  }).kind(),
                  ErrorKind::does_not_fit);
      }
    }
  }
}

TEST(PeerMemory, ANegativeCycleThatOneMeetsEndsAll) {
  for (const std::int64_t last : {3, 33, 120}) {
    SmallProblem problem(130, kTile, false);
    problem.value(2, last) = 1;
    problem.value(last, 2) = -2;
    StrictPeers peers(4);
    const Control control;
    const Error error = error_of(
        [&] { PeerMemory(peers.devices, 2, problem.values(), Cycles::possible, control).run(); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
  }
}

TEST(PeerMemory, AllEndWhereTheCallerAsks) {
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * kTile * 2; };
  const Control control{&recorder, &recorder.cancellation};
  SmallProblem problem(200, kTile, false);
  StrictPeers peers(4);
  const Error error = error_of(
      [&] { PeerMemory(peers.devices, 2, problem.values(), Cycles::possible, control).run(); });
  EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  EXPECT_LT(recorder.done, 200 * 200 * kTile * 12);  // of 25 steps
}

TEST(PeerMemory, AMemberThatFailsHoldsNobodyUp) {
  RecordedProgress recorder;
  recorder.cancel_when = [&]() -> bool {
    if (recorder.done > 200 * 200 * kTile * 3) throw Error(ErrorKind::defect, "out of paper");
    return false;
  };
  const Control control{&recorder, nullptr};
  SmallProblem problem(200, kTile, false);
  StrictPeers peers(4);
  const Error error = error_of(
      [&] { PeerMemory(peers.devices, 2, problem.values(), Cycles::possible, control).run(); });
  EXPECT_EQ(error.kind(), ErrorKind::defect);
}

TEST(PeerMemory, ProgressEndsAtItsTotal) {
  for (const std::int64_t n : {5, 16, 60}) {
    RecordedProgress recorder;
    const Control control{&recorder, nullptr};
    SmallProblem problem(n, kTile, false);
    StrictPeers peers(4);
    PeerMemory(peers.devices, 2, problem.values(), Cycles::possible, control).run();
    EXPECT_TRUE(recorder.complete()) << "n " << n;
    EXPECT_EQ(recorder.ended, 1) << "one of the threads tells of it";
  }
}

}  // namespace
}  // namespace apsp::dense
