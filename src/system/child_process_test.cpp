#include "system/child_process.hpp"

#include "support/test.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace apsp::system::child_process_test {
namespace {

/// Expects that no child is left, not even a zombie.
void expect_no_child() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

[[noreturn]] void sleep_forever() {
  for (;;) pause();
}

TEST(ChildProcess, GivesItsResultsThroughSharedMemory) {
  const SharedArray<int> shared(1000);
  const int here = getpid();
  int alone = 1;
  ChildProcess child([&] {
    alone = 2;
    for (int& value : shared.values()) value = getppid();
  });
  ASSERT_TRUE(child.began());
  EXPECT_TRUE(child.succeeded());
  for (const int value : shared.values()) EXPECT_EQ(value, here);
  EXPECT_EQ(alone, 1);
  expect_no_child();
}

TEST(ChildProcess, FailsWhereItsWorkThrows) {
  ChildProcess child([] { throw std::runtime_error("child"); });
  EXPECT_FALSE(child.succeeded());
  expect_no_child();
}

TEST(ChildProcess, FailsWhereASignalEndsIt) {
  for (const int signal : {SIGKILL, SIGINT, SIGTERM}) {
    ChildProcess child([] { sleep_forever(); });
    ASSERT_TRUE(child.began());
    EXPECT_EQ(kill(child.id(), signal), 0);
    EXPECT_FALSE(child.succeeded()) << signal;
  }
  expect_no_child();
}

TEST(ChildProcess, RunsNoHandlerOfItsParent) {
  const auto before = std::signal(SIGUSR1, [](int) {});
  ChildProcess child([] {
    std::raise(SIGUSR1);
    sleep_forever();
  });
  EXPECT_FALSE(child.succeeded());
  std::signal(SIGUSR1, before);
}

TEST(ChildProcess, EndsWithWhatBeganIt) {
  {
    const ChildProcess child([] { sleep_forever(); });
  }
  expect_no_child();
}

TEST(ChildProcess, EndsWithItsParentsProcess) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ChildProcess child([&] {
    ChildProcess of_child([&] {
      (void)!write(ends[1], "x", 1);
      sleep_forever();
    });
    sleep_forever();
  });
  close(ends[1]);
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  kill(child.id(), SIGKILL);
  EXPECT_FALSE(child.succeeded());
  alarm(10);
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "both have ended";
  alarm(0);
  close(ends[0]);
}

TEST(ChildProcess, NeedsNoExitStatus) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  {
    ChildProcess child([] {});
    EXPECT_TRUE(child.succeeded());
    ChildProcess other([] { throw std::runtime_error("child"); });
    EXPECT_FALSE(other.succeeded());
  }
  std::signal(SIGCHLD, before);
  ChildProcess child([] {});
  while (waitpid(-1, nullptr, 0) > 0) {  // as a program might
  }
  EXPECT_TRUE(child.succeeded());
}

TEST(ChildProcess, DoesNotBeginWhereItIsForbidden) {
  EXPECT_GE(processes_for(2), 1);
  EXPECT_LE(processes_for(2), 2);
  EXPECT_EQ(processes_for(0), 1);
  const SharedArray<int> found(3);
  ChildProcess child([&] {
    forbid_children();
    ChildProcess none([] {});
    found.values()[0] = none.began() ? 2 : 1;
    found.values()[1] = none.succeeded() ? 2 : 1;
    found.values()[2] = processes_for(8);
  });
  EXPECT_TRUE(child.succeeded());
  EXPECT_EQ(found.values()[0], 1);
  EXPECT_EQ(found.values()[1], 1);
  EXPECT_EQ(found.values()[2], 1);
}

TEST(SharedArray, HoldsZerosAndMayBeEmpty) {
  EXPECT_TRUE(SharedArray<int>(0).values().empty());
  const SharedArray<int> zeros(5000);
  for (const int value : zeros.values()) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace apsp::system::child_process_test
