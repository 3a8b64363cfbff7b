// Lists of items under many more threads than cores: every item once, and `complete` never early.
#include "dense/team_place.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace apsp::dense {
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

}  // namespace
}  // namespace apsp::dense
