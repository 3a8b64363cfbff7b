#include "system/file_lock.hpp"

#include "support/test.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "support/temporary_folder.hpp"

namespace apsp::system::file_lock_test {
namespace {

class ClaimTest : public testing::Test {
 protected:
  std::string path() const { return folder_ / "x.lock"; }

  TemporaryFolder folder_;
};

TEST_F(ClaimTest, IsHeldWhileItLivesAndGoneAfterwards) {
  {
    const MadeClaim made = make_claim(path());
    ASSERT_NE(made.claim, nullptr);
    EXPECT_EQ(make_claim(path()).error, EEXIST);
    EXPECT_EQ(take_over_claim(path()).holder, Holder::someone);
    EXPECT_TRUE(std::filesystem::exists(path()));
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
  const TakenClaim none = take_over_claim(path());
  EXPECT_EQ(none.holder, Holder::unknown);
  EXPECT_EQ(none.why, kNoClaim);
  EXPECT_EQ(make_claim(folder_ / "nowhere/x").error, ENOENT);
}

TEST_F(ClaimTest, AFileIsLockedByOneAtATimeAndStays) {
  write_bytes(path(), "content");
  {
    const std::unique_ptr<Lock> held = try_lock(path());
    ASSERT_NE(held, nullptr);
    EXPECT_EQ(try_lock(path()), nullptr);
  }
  EXPECT_NE(try_lock(path()), nullptr);
  EXPECT_EQ(read_bytes(path()), "content");
  EXPECT_NE(try_lock(folder_ / "nothing"), nullptr) << "there is nothing to take turns at";
}

TEST_F(ClaimTest, OneThatWasAbandonedIsTakenOverOnce) {
  make_claim(path()).claim->abandon();
  {
    const TakenClaim taken = take_over_claim(path());
    EXPECT_EQ(taken.holder, Holder::nobody);
    EXPECT_EQ(take_over_claim(path()).holder, Holder::someone) << "two that clean at once";
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(ClaimTest, IsNamedWhileItIsHeld) {
  const MadeClaim made = make_claim(path());
  EXPECT_EQ(make_claim(path()).error, EEXIST);
  EXPECT_EQ(take_over_claim(path()).holder, Holder::someone);
  EXPECT_EQ(held_claims(), std::vector{path()});
}

TEST_F(ClaimTest, ThatOfAKilledProcessIsFree) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const MadeClaim made = make_claim(path());
    const ssize_t told = ::write(ready[1], "r", 1);
    if (told == 1) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(take_over_claim(path()).holder, Holder::someone);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(take_over_claim(path()).holder, Holder::nobody);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(ClaimTest, PartialsAvoidNamesThatAreTaken) {
  EXPECT_TRUE(next_partial_path("x/air.npy").starts_with("x/.air.npy.partial-"));
  EXPECT_TRUE(next_partial_path("air.npy").starts_with(".air.npy.partial-"));
  int asked = 0;
  const Partial partial = claim_partial(folder_ / "air.npy", [&](const std::string& candidate) {
    return ++asked < 3 ? nullptr : make_claim(candidate + ".lock").claim;
  });
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(std::filesystem::exists(partial.path + ".lock"));
}

}  // namespace
}  // namespace apsp::system::file_lock_test
