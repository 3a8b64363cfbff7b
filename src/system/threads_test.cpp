#include "system/threads.hpp"

#include "support/test.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "support/watched.hpp"
#include "system/event_count.hpp"

namespace apsp::system::threads_test {
namespace {

TEST(Team, EveryMemberHasItsOwnNumberAndTheCallerIsFirst) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> members{0};
    std::atomic<int> sum{0};
    const auto caller = std::this_thread::get_id();
    run_threads(4, [&](int i) {
      EXPECT_EQ(std::this_thread::get_id() == caller, i == 0);
      ++members;
      sum += 1 << (4 * i);
      while (members < 2 && i == 0) std::this_thread::yield();  // until another member joins
    });
    EXPECT_GE(members, 2);
    EXPECT_EQ(sum & ~0x1111, 0) << "a number came twice";
  }
}

TEST(Team, AMemberThatIsLateIsNotWaitedFor) {
  // The caller finishes at once; late members must not be called with destroyed data.
  for (int round = 0; round < 2000; ++round) {
    auto alive = std::make_unique<std::atomic<int>>(0);
    run_threads(8, [&](int) { ++*alive; });
    EXPECT_GE(*alive, 1);
  }
}

TEST(Team, ThrowsTheFirstException) {
  for (int thrower = 0; thrower < 3; ++thrower) {
    std::atomic<bool> thrown{false};
    const auto run = [&] {
      run_threads(3, [&](int i) {
        if (i == thrower) {
          thrown = true;
          throw std::runtime_error("member");
        }
        while (!thrown) std::this_thread::yield();
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
  }
}

TEST(Team, MayBeStartedByMembersAndByManyThreads) {
  std::atomic<int> items{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      parallel_for(10, 3,
                   [&](std::int64_t) { parallel_for(10, 3, [&](std::int64_t) { ++items; }); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(items, 300);
}

TEST(Team, ClaimsNoMoreItemsThanItMay) {
  // If claimed together, the second of 1,000 items would wait for the first.
  std::atomic<bool> second{false};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  parallel_for(1000, 2, 1, [&](std::int64_t item) {
    if (item == 1) second = true;
    while (item == 0 && !second && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    if (item == 0) {
      EXPECT_TRUE(second);
    }
  });
}

TEST(Team, WorksInAChildAfterFork) {
  if (watched()) GTEST_SKIP() << "QEMU ends a child of a process that had threads";
  parallel_for(100, 4, [](std::int64_t) {});
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);  // a child that hangs fails
    std::atomic<int> items{0};
    std::atomic<int> members{0};
    run_threads(2, [&](int) {
      ++members;
      while (members < 2) std::this_thread::yield();
    });
    parallel_for(1000, 4, [&](std::int64_t) { ++items; });
    _exit(items == 1000 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ShareItems, DoesEveryItemOnce) {
  for (const std::int64_t n : {0, 1, 2, 63, 64, 65, 1000}) {
    std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
    parallel_for(n, 4, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
    for (const auto& count : times) EXPECT_EQ(count, 1) << n;
  }
}

TEST(ShareItems, EndsWithTheExceptionOfAnItem) {
  std::atomic<int> done{0};
  const auto run = [&] {
    parallel_for(100'000, 4, [&](std::int64_t i) {
      if (i == 10) throw std::runtime_error("item");
      ++done;
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_LT(done, 100'000);
}

TEST(ShareItems, AMemberThatSleepsHoldsUpItsOwnItemAlone) {
  // One item takes 100 ms, a thousand others nothing; a static assignment would delay half of them.
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::atomic<std::int64_t> others_done_after{0};
  std::atomic<int> others{0};
  parallel_for(1001, 2, [&](std::int64_t i) {
    if (i == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    else if (++others == 900)
      others_done_after = (Clock::now() - start).count();
  });
  EXPECT_LT(std::chrono::nanoseconds(others_done_after), std::chrono::milliseconds(90));
}

TEST(EventCount, WakesWhoSleeps) {
  EventCount changed;
  std::atomic<int> turn{0};
  std::thread other([&] {
    for (int i = 1; i < 200; i += 2) {
      changed.await([&] { return turn == i; });
      // Sometimes long enough for the other thread to sleep.
      if (i % 20 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      turn = i + 1;
      changed.notify();
    }
  });
  for (int i = 0; i < 200; i += 2) {
    changed.await([&] { return turn == i; });
    turn = i + 1;
    changed.notify();
  }
  other.join();
  EXPECT_EQ(turn, 200);
}

TEST(Team, ListensToWhomItsCallerListens) {
  Cancellation cancellation;
  const Cancellable listening(&cancellation);
  std::atomic<int> items{0};
  const auto share = [&] {
    parallel_for(1000, 4, 1, [&](std::int64_t) {
      if (++items == 100) cancellation.request();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
  };
  EXPECT_THROW(share(), Error);
  EXPECT_LT(items, 200) << "threads of the team go on";
  EXPECT_THROW(on_threads(2, [](int) { base::check_cancelled(); }), Error);
}

TEST(Team, ListensToNobodyElseAfterwards) {
  Cancellation cancellation;
  cancellation.request();
  {
    const Cancellable listening(&cancellation);
    EXPECT_THROW(run_threads(4, [](int) { base::check_cancelled(); }), Error);
  }
  for (int round = 0; round < 50; ++round)
    EXPECT_NO_THROW(run_threads(4, [](int) { base::check_cancelled(); }));
}

TEST(Backoff, LooksLongAfterShortWaitsAndBrieflyAfterLongOnes) {
  using Clock = std::chrono::steady_clock;
  Backoff backoff;
  const auto never = [] { return false; };
  const auto looked = [&](std::chrono::milliseconds asleep) {
    const auto start = Clock::now();
    Clock::duration looking{};
    backoff.wait(never, [&] {
      looking = Clock::now() - start;
      std::this_thread::sleep_for(asleep);
    });
    return looking;
  };
  const auto usual =
      spin_nanoseconds.exchange(20'000'000);  // longer than any pause of a busy machine
  EXPECT_GE(looked(std::chrono::milliseconds(0)), std::chrono::milliseconds(100));
  EXPECT_GE(looked(std::chrono::milliseconds(300)), std::chrono::milliseconds(100));
  const auto brief = looked(std::chrono::milliseconds(0));
  EXPECT_GE(brief, std::chrono::milliseconds(20));
  EXPECT_LT(brief, std::chrono::milliseconds(100));
  EXPECT_GE(looked(std::chrono::milliseconds(0)), std::chrono::milliseconds(100));
  spin_nanoseconds = usual;
}

}  // namespace
}  // namespace apsp::system::threads_test
