// The beginning and the end of a launch.
#include "cluster/meeting.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "support/on_processes.hpp"

namespace apsp::cluster {
namespace {

using Seconds = std::chrono::duration<double>;

TEST(Meeting, OneThatLastsTooLongIsTold) {
  std::atomic<int> told = 0;
  {
    const Meeting meeting(Seconds(0.001), [&] { ++told; });
    while (told == 0) std::this_thread::yield();
  }
  EXPECT_EQ(told, 1);
}

TEST(Meeting, OneThatEndsInTimeIsNot) {
  std::atomic<int> told = 0;
  for (int i = 0; i < 100; ++i) const Meeting meeting(Seconds(1000), [&] { ++told; });
  EXPECT_EQ(told, 0);
}

TEST(Meeting, AMinuteUnlessTheEnvironmentSaysOtherwise) {
  unsetenv("APSP_MEETING_SECONDS");
  EXPECT_EQ(meeting_limit(), Seconds(60));
  for (const char* const text : {"", "soon", "-3", "0"}) {
    setenv("APSP_MEETING_SECONDS", text, 1);
    EXPECT_EQ(meeting_limit(), Seconds(60)) << text;
  }
  setenv("APSP_MEETING_SECONDS", "2.5", 1);
  EXPECT_EQ(meeting_limit(), Seconds(2.5));
  unsetenv("APSP_MEETING_SECONDS");
}

TEST(Meeting, AllEndWithTheCodeOfTheFirst) {
  on_processes(
      3, [](Processes& processes) { EXPECT_EQ(processes.of_first(4 - processes.rank()), 4); });
}

}  // namespace
}  // namespace apsp::cluster
