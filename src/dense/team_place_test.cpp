// A team that is larger than the machine, over many runs: whatever turns the threads take, a task
// begins only when its operands are there, and nobody changes them before it ends.
//
// Instead of values a tile holds the number of the steps that have updated it. They are plain
// integers on purpose: `make tsan` finds an order that is missing even where the numbers agree.
#include "dense/team_place.hpp"

#include "base/random.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"

namespace apsp::dense::team_place_test {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 60;

/// Runs member(0) … member(count − 1) on threads of their own, which begin together.
void run_collectively(int count, const std::function<void(int)>& member) {
  std::atomic<int> waiting{count};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting.load() > 0) std::this_thread::yield();
      member(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Plain integers on purpose: `make tsan` sees what `complete` fails to order.
using Counts = std::vector<int>;

TEST(SharedPhase, SharesEveryItemOnceAndIsCompleteAtTheirEnd) {
  for (const std::int64_t items : {0, 1, 7, 8, 1000}) {
    for (int round = 0; round < kRounds; ++round) {
      SharedPhase phase;
      phase.set_items(items);
      Counts done(static_cast<std::size_t>(items));
      std::atomic<int> seen_early{0};
      run_collectively(kThreads, [&](int) {
        while (
            phase.share_one([&](std::int64_t item) { ++done[static_cast<std::size_t>(item)]; })) {
        }
        while (!phase.complete()) std::this_thread::yield();
        for (const int count : done) seen_early += count != 1;
      });
      ASSERT_EQ(seen_early, 0) << items << " items, round " << round;
      ASSERT_FALSE(phase.share_one([](std::int64_t) { FAIL(); }));
    }
  }
}

TEST(HomeRanges, AreWorkedOffByWhoeverIsThere) {
  for (const int there : {1, 3, kThreads}) {  // of the members; the others have no core
    for (const std::int64_t items : {0, 1, 5, 8, 1001}) {
      for (int round = 0; round < kRounds / 3; ++round) {
        HomeRanges ranges;
        ranges.set_items(items, kThreads);
        Counts done(static_cast<std::size_t>(items));
        std::atomic<int> seen_early{0};
        run_collectively(there, [&](int member) {
          std::int64_t mine = 0;
          int offset = 0;
          for (;;) {
            const std::int64_t item = ranges.claim(member, offset);
            if (item < 0) break;
            ++done[static_cast<std::size_t>(item)];
            ++mine;
          }
          ranges.note_done(mine);
          while (!ranges.complete()) std::this_thread::yield();
          for (const int count : done) seen_early += count != 1;
        });
        ASSERT_EQ(seen_early, 0) << items << " items, " << there << " members, round " << round;
      }
    }
  }
}

TEST(HomeRanges, BeginAtHomeAndGoOnWithTheNext) {
  HomeRanges ranges;
  ranges.set_items(10, 4);
  std::vector<std::int64_t> order;
  int offset = 0;
  for (std::int64_t item = 0; (item = ranges.claim(2, offset)) >= 0;) order.push_back(item);
  EXPECT_EQ(order, (std::vector<std::int64_t>{5, 6, 7, 8, 9, 0, 1, 2, 3, 4}));
}

constexpr int kThreadCounts[] = {1, 2, 3, 8};
constexpr int kNever = -1;

class CountingPlace : public TeamPlace {
 public:
  /// `thrower`: the number of the task, counted as they begin, that throws after a pause.
  CountingPlace(std::int64_t tiles, int threads, bool copies, std::uint64_t seed,
                const Control& control, int thrower = kNever, std::chrono::milliseconds pause = {})
      : TeamPlace(tiles, threads, control, copies ? Panels::copied : Panels::in_place),
        copies_(copies),
        seed_(seed),
        until_throw_(thrower),
        pause_(pause),
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
    if (until_throw_ >= 0 && until_throw_.fetch_sub(1) == 0) {
      std::this_thread::sleep_for(pause_);
      throw std::runtime_error("task");
    }
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
  std::chrono::milliseconds pause_;
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
      // In a pause the others go to sleep.
      const std::chrono::milliseconds pause(thrower % 25 == 0 ? 20 : 0);
      CountingPlace place(6, threads, thrower % 2 == 0, static_cast<std::uint64_t>(thrower),
                          control, thrower, pause);
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

}  // namespace
}  // namespace apsp::dense::team_place_test
