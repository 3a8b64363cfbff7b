// What is thrown on any thread of a team ends the run as that exception; later runs are whole.
#include "places/team_place.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/cpu/cpu_kernels.hpp"
#include "places/one_memory.hpp"
#include "support/recorded_progress.hpp"

namespace apsp::places {
namespace {

constexpr int kThreadCounts[] = {1, 2, 5};

enum class Task { close, panel, diagonal, cross, rest };

/// Six tiles a side and tasks that do nothing, but for one, which throws.
class ThrowingPlace : public TeamPlace {
 public:
  ThrowingPlace(int threads, Task thrower, std::int64_t step)
      : TeamPlace(kTiles, threads, kNoControl, Panels::copied), thrower_(thrower), step_(step) {
    set_tasks({2 * (kTiles - 1), 2 * (kTiles - 2), kTiles * kTiles});
  }
  void run() { run_team("test", 1); }

 private:
  static constexpr std::int64_t kTiles = 6;
  static inline const Control kNoControl{};

  void meet(Task task, Tile k) const {
    if (task == thrower_ && k == Tile(step_)) throw std::runtime_error("task");
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
  OneMemory({matrix, 4, 48}, Shape::full, operations, kernels::Cycles::excluded, threads, control)
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
  OneMemory(
      {matrix, 4, 48}, Shape::symmetric,
      kernels::cpu::operations(Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative),
      kernels::Cycles::excluded, 1, control)
      .run();
  EXPECT_EQ(progress.total, kVertices * kVertices * kVertices / 2);
  EXPECT_GE(progress.done, progress.total);
  EXPECT_LE(progress.done, 1.2 * progress.total) << "tiles on the diagonal are whole";
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
}  // namespace apsp::places
