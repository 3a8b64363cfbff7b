// Processes that fall silent, and those that only seem to.
#include "cluster/heartbeat.hpp"

#include "support/on_processes.hpp"
#include "support/test.hpp"

namespace apsp::cluster::heartbeat_test {
namespace {

TEST(Silence, OnlyOfOneThatWasHeard) {
  Silence silence(Seconds(10), Seconds(1));
  for (int i = 0; i < 100; ++i) silence.passed(Seconds(1));
  EXPECT_FALSE(silence.too_long());  // a firewall
  silence.heard();
  for (int i = 0; i < 9; ++i) silence.passed(Seconds(1));
  EXPECT_FALSE(silence.too_long());
  silence.passed(Seconds(1));
  EXPECT_TRUE(silence.too_long());
  silence.heard();
  EXPECT_FALSE(silence.too_long());
}

TEST(Silence, IsNotThatOfAListenerWhoSlept) {
  Silence silence(Seconds(10), Seconds(1));
  silence.heard();
  for (int i = 0; i < 9; ++i) silence.passed(Seconds(3600));
  EXPECT_FALSE(silence.too_long());
}

TEST(Silence, IsNoneAfterAFarewell) {
  Silence silence(Seconds(10), Seconds(1));
  silence.heard();
  silence.said_farewell();
  for (int i = 0; i < 100; ++i) silence.passed(Seconds(1));
  EXPECT_FALSE(silence.too_long());
}

TEST(Heartbeat, OneThatNoLongerBeatsIsNamedByTheNext) {
  std::atomic<int> told = 0;
  std::string said;
  on_processes(3, [&](Processes& processes) {
    const bool is_next = processes.rank() == 2;
    const auto on_silent = [&](const Error& error) {
      said = error.what();
      ++told;
    };
    Launch launch;
    auto heartbeat = std::make_unique<Heartbeat>(processes, launch, Seconds(0.5), on_silent);
    std::this_thread::sleep_for(Seconds(0.3));
    if (processes.rank() == 1) heartbeat->fall_silent();
    if (is_next) {
      while (told == 0) std::this_thread::yield();
    }
    processes.least(0);  // the others go on until it is told
  });
  EXPECT_EQ(told, 1);
  EXPECT_THAT(said, AllOf(HasSubstr("process 1 of 3, on "), HasSubstr("for 0.5 seconds")));
}

TEST(Heartbeat, ThoseThatEndOneAfterAnotherAreNotMissed) {
  std::atomic<int> told = 0;
  on_processes(4, [&](Processes& processes) {
    Launch launch;
    const Heartbeat heartbeat(processes, launch, Seconds(0.2), [&](const Error&) { ++told; });
    std::this_thread::sleep_for(Seconds(0.3 * (1 + processes.rank())));
  });
  EXPECT_EQ(told, 0);
}

TEST(Heartbeat, NobodyIsWatchedWithoutALimit) {
  std::atomic<int> told = 0;
  on_processes(2, [&](Processes& processes) {
    Launch launch;
    Heartbeat heartbeat(processes, launch, Seconds(processes.rank() == 0 ? 0 : 0.1),
                        [&](const Error&) { ++told; });
    std::this_thread::sleep_for(Seconds(0.4));
  });
  EXPECT_EQ(told, 0);
}

TEST(Heartbeat, ItsLimitIsThatOfTheEnvironment) {
  unsetenv("APSP_SILENCE_SECONDS");
  EXPECT_EQ(silence_limit(), Seconds(40));
  for (const char* const text : {"", "soon", "-3", "nan"}) {
    setenv("APSP_SILENCE_SECONDS", text, 1);
    EXPECT_EQ(silence_limit(), Seconds(40)) << text;
  }
  setenv("APSP_SILENCE_SECONDS", "2.5", 1);
  EXPECT_EQ(silence_limit(), Seconds(2.5));
  setenv("APSP_SILENCE_SECONDS", "0", 1);
  EXPECT_EQ(silence_limit(), Seconds(0));
  unsetenv("APSP_SILENCE_SECONDS");
}

}  // namespace
}  // namespace apsp::cluster::heartbeat_test
