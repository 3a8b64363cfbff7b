// A team that is larger than the machine, over many runs: whatever turns the threads take, a task
// begins only when its operands are there, and nobody changes them before it ends.
//
// Instead of values a tile holds the number of the steps that have updated it. They are plain
// integers on purpose: `make tsan` finds an order that is missing even where the numbers agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "dense/team_place.hpp"
#include "support/error_of.hpp"
#include "support/recorded_progress.hpp"

namespace apsp::dense {
namespace {

constexpr int kThreadCounts[] = {1, 2, 3, 8};
constexpr int kNever = -1;

class CountingPlace : public TeamPlace {
 public:
  /// `thrower`: the number of the task, counted as they begin, that throws.
  CountingPlace(std::int64_t tiles, int threads, bool copies, std::uint64_t seed,
                const Control& control, int thrower = kNever)
      : TeamPlace(tiles, threads, control, copies ? Panels::copied : Panels::in_place),
        copies_(copies),
        seed_(seed),
        until_throw_(thrower),
        steps_(static_cast<std::size_t>(tiles * tiles), 0) {
    for (auto& set : panels_) set.assign(static_cast<std::size_t>(2 * tiles), -1);
    set_tasks({2 * (tiles - 1), 2 * (tiles - 2), tiles * tiles});
  }

  void run() { run_threads("stress", static_cast<double>(tiles() * tiles() * tiles())); }

  void expect_whole() const {
    EXPECT_EQ(wrong(), 0);
    for (const int steps : steps_) ASSERT_EQ(steps, tiles());
  }
  int wrong() const { return wrong_; }

 private:
  enum Side { row_panel, column_panel };

  int& steps(Tile i, Tile j) { return steps_[static_cast<std::size_t>(at(i, j))]; }
  std::int64_t at(Tile i, Tile j) const { return i.number() * tiles() + j.number(); }
  static int number(Tile k) { return static_cast<int>(k.number()); }
  int& panel(Tile k, Side side, Tile t) {
    return panels_[static_cast<std::size_t>(k.number() % 2)]
                  [static_cast<std::size_t>(side * tiles() + t.number())];
  }
  void require(bool condition) { wrong_ += condition ? 0 : 1; }

  /// Some tasks take long, and some lose their core.
  void dawdle(Tile k, std::int64_t item) {
    if (until_throw_ >= 0 && until_throw_.fetch_sub(1) == 0) throw std::runtime_error("task");
    base::SplitMix64 random(seed_ ^ static_cast<std::uint64_t>(k.number() * 10007 + item));
    // The last step has no cross: nothing but operands holds it back from the step before.
    const std::uint64_t sleepers = k + 2 == Tile(tiles()) ? 8 : 1;  // of 64
    const std::uint64_t chance = random.below(64);
    if (chance < sleepers) std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (chance < sleepers + 8) std::this_thread::yield();
  }

  void require_operands(Tile k, Tile i, Tile j) {
    if (copies_) {
      require(panel(k, row_panel, j) == number(k) && panel(k, column_panel, i) == number(k));
    } else {
      require(steps(k, j) == number(k + 1) && steps(i, k) == number(k + 1));
    }
  }
  void update(Tile k, Tile i, Tile j, std::int64_t item) {
    require_operands(k, i, j);
    require(steps(i, j) == number(k));
    dawdle(k, item);
    require_operands(k, i, j);
    steps(i, j) = number(k + 1);
  }

  void close_tile(Tile k) override {
    require(steps(k, k) == number(k));
    dawdle(k, 1);
    steps(k, k) = number(k + 1);
  }
  void update_panel(Tile k, std::int64_t item) override {
    const Tile t = panel_tile(k, item);
    const Side side = item < tiles() - 1 ? row_panel : column_panel;
    int& tile = side == row_panel ? steps(k, t) : steps(t, k);
    require(steps(k, k) == number(k + 1) && tile == number(k));
    dawdle(k, 2 + item);
    tile = number(k + 1);
    panel(k, side, t) = number(k);
  }
  void update_diagonal(Tile k) override { update(k, k + 1, k + 1, 3); }
  std::array<Tile, 2> cross_tile(Tile k, std::int64_t item) const {
    if (item < 0) return {k + 1, k + 1};
    const Tile other(item % (tiles() - 2));
    const Tile t = other < k ? other : other + 2;
    return item < tiles() - 2 ? std::array{k + 1, t} : std::array{t, k + 1};
  }
  void update_cross_tile(Tile k, std::int64_t item) override {
    const auto [i, j] = cross_tile(k, item);
    update(k, i, j, 1000 + item);
  }
  double update_rest_item(Tile k, std::int64_t item) override {
    const Tile i(item / tiles()), j(item % tiles());
    const auto done_before = [k](Tile t) { return t == k || t == k + 1; };
    if (!done_before(i) && !done_before(j)) update(k, i, j, 2000 + item);
    return 1;
  }
  std::int64_t rest_item_of_cross(Tile k, std::int64_t item) const override {
    const auto [i, j] = cross_tile(k, item);
    return at(i, j);
  }

  bool copies_;
  std::uint64_t seed_;
  std::atomic<int> until_throw_;
  std::vector<int> steps_;                    // [tiles, tiles]
  std::array<std::vector<int>, 2> panels_{};  // [2][tiles] the step of each copy, two sets
  std::atomic<int> wrong_{0};
};

TEST(TeamPlace, TakesNoTaskBeforeItsOperandsUnderStress) {
  const Control control;
  for (const int threads : kThreadCounts) {
    for (const bool copies : {true, false}) {
      for (const std::int64_t tiles : {1, 2, 3, 5, 12}) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
          CountingPlace place(tiles, threads, copies, seed, control);
          place.run();
          SCOPED_TRACE(testing::Message()
                       << threads << " threads, " << tiles << " tiles, copies: " << copies);
          place.expect_whole();
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TeamPlace, ReportsEveryRelaxationOnceUnderStress) {
  for (const int threads : kThreadCounts) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      RecordedProgress progress;
      const Control control{&progress, nullptr};
      CountingPlace(7, threads, seed % 2 == 0, seed, control).run();
      ASSERT_TRUE(progress.complete() && progress.ascending) << threads << " threads";
    }
  }
}

TEST(TeamPlace, EndsWithWhatAnyTaskThrowsUnderStress) {
  const Control control;
  for (const int threads : kThreadCounts) {
    for (int thrower = 0; thrower < 120; thrower += 5) {
      CountingPlace place(6, threads, thrower % 2 == 0, static_cast<std::uint64_t>(thrower),
                          control, thrower);
      EXPECT_THROW(place.run(), std::runtime_error) << threads << " threads, task " << thrower;
      EXPECT_EQ(place.wrong(), 0) << "nobody takes a task whose operands an exception kept away";
    }
  }
}

TEST(TeamPlace, EndsWithWhatTheProgressThrowsOnEveryThreadCount) {
  for (const int threads : kThreadCounts) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      RecordedProgress progress;
      progress.cancel_when = [&]() -> bool { throw std::runtime_error("progress"); };
      const Control control{&progress, nullptr};
      CountingPlace place(6, threads, seed % 2 == 0, seed, control);
      EXPECT_THROW(place.run(), std::runtime_error) << threads << " threads";
      EXPECT_EQ(place.wrong(), 0);
    }
  }
}

TEST(TeamPlace, StopsWhereItIsAskedUnderStress) {
  for (const int threads : kThreadCounts) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      RecordedProgress progress;
      progress.cancel_when = [&] { return progress.done > 50; };
      const Control control{&progress, &progress.cancellation};
      CountingPlace place(8, threads, seed % 2 == 0, seed, control);
      EXPECT_EQ(error_of([&] { place.run(); }).kind(), ErrorKind::interrupted);
      EXPECT_LT(progress.done, 8 * 8 * 8);
      EXPECT_EQ(place.wrong(), 0);
    }
  }
}

}  // namespace
}  // namespace apsp::dense
