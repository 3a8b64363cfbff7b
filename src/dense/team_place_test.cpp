// What is thrown on any thread of a team ends the run as that exception; later runs are whole.
#include "dense/team_place.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "dense/host_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"

namespace apsp::dense {
namespace {

constexpr int kThreadCounts[] = {1, 2, 5};

enum class Task { close, panel, diagonal, cross, rest };

/// Six tiles a side and tasks that do nothing, but for one, which throws.
class ThrowingPlace : public TeamPlace {
 public:
  ThrowingPlace(int threads, Task thrower, std::int64_t step, std::chrono::milliseconds pause = {})
      : TeamPlace(kTiles, threads, kNoControl, Panels::copied),
        thrower_(thrower),
        step_(step),
        pause_(pause) {
    set_tasks({2 * (kTiles - 1), 2 * (kTiles - 2), kTiles * kTiles});
  }
  void run() { run_threads("test", 1); }

 private:
  static constexpr std::int64_t kTiles = 6;
  static inline const Control kNoControl{};

  void meet(Task task, Tile k) const {
    if (task != thrower_ || k != Tile(step_)) return;
    std::this_thread::sleep_for(pause_);
    throw std::runtime_error("task");
  }
  void close_tile(Tile k) override { meet(Task::close, k); }
  void update_panel(Tile k, std::int64_t) override { meet(Task::panel, k); }
  void update_diagonal(Tile k) override { meet(Task::diagonal, k); }
  void update_cross_tile(Tile k, std::int64_t) override { meet(Task::cross, k); }
  double update_rest_item(Tile k, std::int64_t) override {
    meet(Task::rest, k);
    return 0;
  }
  std::int64_t rest_item_of_cross(Tile, std::int64_t) const override { return 0; }

  Task thrower_;
  std::int64_t step_;
  std::chrono::milliseconds pause_;
};

constexpr std::int64_t kVertices = 300;

/// Distances along a path of edges of weight 1, in tiles of 48.
std::vector<float> solve(int threads, const Control& control) {
  std::vector<float> values(kVertices * kVertices, std::numeric_limits<float>::infinity());
  const kernels::View matrix{values.data(), kVertices, kVertices, kVertices};
  for (std::int64_t v = 0; v < kVertices; ++v) {
    values[static_cast<std::size_t>(v * (kVertices + 1))] = 0;
    if (v + 1 < kVertices) values[static_cast<std::size_t>(v * (kVertices + 1) + 1)] = 1;
  }
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  HostMemory({matrix, 4, 48}, Shape::full, operations, kernels::Cycles::excluded, threads, control)
      .run();
  return values;
}

void expect_whole_solve(int threads) {
  const std::vector<float> values = solve(threads, {});
  for (std::int64_t j = 0; j < kVertices; ++j) {
    ASSERT_EQ(values[static_cast<std::size_t>(j)], static_cast<float>(j)) << threads;
  }
}

TEST(TeamPlace, ProgressCountsTheRelaxationsOfTheShape) {
  for (const int threads : kThreadCounts) {
    RecordedProgress progress;
    solve(threads, {&progress, nullptr});
    EXPECT_EQ(progress.total, kVertices * kVertices * kVertices);
    EXPECT_TRUE(progress.complete() && progress.ascending) << threads;
  }
  std::vector<float> ones(kVertices * kVertices, 1);
  const kernels::View matrix{ones.data(), kVertices, kVertices, kVertices};
  for (std::int64_t v = 0; v < kVertices; ++v)
    ones[static_cast<std::size_t>(v * (kVertices + 1))] = 0;
  RecordedProgress progress;
  const Control control{&progress, nullptr};
  HostMemory(
      {matrix, 4, 48}, Shape::symmetric,
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative),
      kernels::Cycles::excluded, 1, control)
      .run();
  EXPECT_EQ(progress.total, kVertices * kVertices * kVertices / 2);
  EXPECT_GE(progress.done, progress.total);
  EXPECT_LE(progress.done, 1.2 * progress.total) << "tiles on the diagonal are whole";
}

/// Two steps of ten tasks each, all of which tell at once what they did.
class TellingPlace : public TeamPlace {
 public:
  TellingPlace(const Control& control, std::chrono::milliseconds pause)
      : TeamPlace(2, 1, control, Panels::copied), pause_(pause) {
    set_tasks({2, 0, 10});
  }
  void run(double relaxations) { run_threads("test", relaxations); }

 private:
  void close_tile(Tile) override {}
  void update_panel(Tile, std::int64_t) override {}
  void update_diagonal(Tile) override {}
  void update_cross_tile(Tile, std::int64_t) override {}
  double update_rest_item(Tile, std::int64_t) override {
    std::this_thread::sleep_for(pause_);
    return 1;
  }
  std::int64_t rest_item_of_cross(Tile, std::int64_t) const override { return 0; }

  std::chrono::milliseconds pause_;
};

TEST(TeamPlace, TellsLargeTasksAndLongOnesAtTheirEnd) {
  for (const bool large : {true, false}) {
    RecordedProgress progress;
    const Control control{&progress, nullptr};
    TellingPlace(control, std::chrono::milliseconds(large ? 0 : 11)).run(large ? 20 : 1e6);
    EXPECT_GE(progress.reports, 20) << large;
    EXPECT_EQ(progress.done, 20);
  }
}

TEST(TeamPlace, TellsSmallAndShortTasksTogether) {
  RecordedProgress progress;
  const Control control{&progress, nullptr};
  TellingPlace place(control, std::chrono::milliseconds(0));
  place.run(1e6);
  EXPECT_EQ(progress.ended, 1) << "with the run";
  EXPECT_LE(progress.reports, 10);
  EXPECT_EQ(progress.done, 20);
}

/// Distances, and where they are wanted intermediate vertices, of a random symmetric matrix.
struct Solved {
  std::vector<float> edges, values;
  std::vector<std::int32_t> via;
};
Solved solve_symmetric(std::int64_t n, Shape shape, int threads, bool tracks_via) {
  base::SplitMix64 random(7);
  Solved solved;
  solved.values.resize(static_cast<std::size_t>(n * n));
  if (tracks_via) solved.via.assign(solved.values.size(), kernels::kNoVia);
  const auto at = [n](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i * n + j);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      solved.values[at(i, j)] = solved.values[at(j, i)] =
          1 + static_cast<float>(random.below(1'000'000));
    }
  }
  solved.edges = solved.values;
  const TiledMatrix matrix{{solved.values.data(), n, n, n}, 4, 48};
  std::optional<Witness> witness;
  if (tracks_via) {
    witness = Witness{{{solved.via.data(), n, n, n}, kernels::kViaSize, 48},
                      kernels::cpu::witness_operations(Semiring::min_plus, ValueType::f32,
                                                       kernels::Sign::non_negative)};
  }
  HostMemory(
      matrix, shape,
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative),
      kernels::Cycles::excluded, threads, {}, witness)
      .run();
  return solved;
}

/// The second tile meets the cycle at its first pivot.
TEST(HostMemory, ACycleAtATilesFirstPivotIsTold) {
  constexpr std::int64_t kSide = 48, kMany = 2 * kSide;
  for (const int threads : {1, 3}) {
    std::vector<float> values(kMany * kMany, std::numeric_limits<float>::infinity());
    for (std::int64_t v = 0; v < kMany; ++v) values[static_cast<std::size_t>(v * (kMany + 1))] = 0;
    values[kSide] = -2;         // from 0
    values[kSide * kMany] = 1;  // and back
    HostMemory place(
        {{values.data(), kMany, kMany, kMany}, 4, kSide}, Shape::full,
        kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::any),
        kernels::Cycles::possible, threads, {});
    const Error error = error_of([&] { place.run(); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(error.cycle().vertices.front(), kSide);
  }
}

TEST(HostMemory, TakesTwoSetsOfPanelsAndADiagonalTile) {
  const auto operations =
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative);
  const OperandBytes of_tile = operand_bytes(operations, 48);
  for (const std::int64_t tiles : {1, 2, 7}) {
    const std::int64_t n = 48 * tiles;
    EXPECT_EQ(HostMemory::panel_bytes({{nullptr, n, n, n}, 4, 48}, operations),
              (2 * tiles + 1) * (of_tile.left + of_tile.right));
  }
}

TEST(HostMemory, HalfOfASymmetricMatrixIsSolvedAndMirrored) {
  for (const std::int64_t n : {1, 47, 48, 49, 97, 200, 400}) {
    for (const int threads : {1, 3}) {
      const Solved full = solve_symmetric(n, Shape::full, threads, false);
      EXPECT_EQ(solve_symmetric(n, Shape::symmetric, threads, false).values, full.values) << n;
      const Solved half = solve_symmetric(n, Shape::symmetric, threads, true);
      EXPECT_EQ(half.values, full.values) << n;
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          const auto of = [&](std::int64_t a, std::int64_t b) {
            return static_cast<std::size_t>(a * n + b);
          };
          const std::int32_t k = half.via[of(i, j)];
          ASSERT_EQ(k, half.via[of(j, i)]) << n << ' ' << i << ' ' << j;
          ASSERT_EQ(k < 0, half.values[of(i, j)] == half.edges[of(i, j)]);
          if (k < 0) continue;
          ASSERT_EQ(half.values[of(i, j)], half.values[of(i, k)] + half.values[of(k, j)]);
        }
      }
    }
  }
}

TEST(TeamPlace, EndsWithTheExceptionOfATask) {
  for (const int threads : kThreadCounts) {
    for (const Task task : {Task::close, Task::panel, Task::diagonal, Task::cross, Task::rest}) {
      for (const std::int64_t step : {0, 1, 4}) {
        ThrowingPlace place(threads, task, step);
        EXPECT_THROW(place.run(), std::runtime_error) << threads << " threads, step " << step;
      }
    }
    expect_whole_solve(threads);
  }
}

/// The others have gone to sleep until then.
TEST(TeamPlace, EndsWithAnExceptionThatComesLate) {
  for (const Task task : {Task::close, Task::panel, Task::diagonal, Task::cross, Task::rest}) {
    ThrowingPlace place(5, task, 1, std::chrono::milliseconds(20));
    EXPECT_THROW(place.run(), std::runtime_error);
  }
}

TEST(TeamPlace, EndsWithTheExceptionOfTheCallersProgress) {
  for (const int threads : kThreadCounts) {
    for (const int calls : {0, 3}) {
      RecordedProgress progress;
      progress.cancel_when = [&] {
        return progress.reports > calls ? throw std::runtime_error("progress") : false;
      };
      EXPECT_THROW(solve(threads, {&progress, nullptr}), std::runtime_error) << threads;
    }
    expect_whole_solve(threads);
  }
}

}  // namespace
}  // namespace apsp::dense
