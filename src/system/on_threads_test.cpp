#include "support/test.hpp"
#include "system/threads.hpp"

#include "support/few_threads.hpp"
#include "support/watched.hpp"

namespace apsp::system::on_threads_test {
namespace {

TEST(OnThreads, ThreadsThatTheSystemRefusesEndTheOthersWait) {
  if (watched()) GTEST_SKIP() << "tools that look at every access need addresses of their own";
  std::atomic<bool> failed{false};
  const Error error = error_of([&] {
    const FewThreads few(2);
    on_threads(
        16,
        [&](int) {
          while (!failed) std::this_thread::yield();
        },
        [&] { failed = true; });
  });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
}

TEST(OnThreads, AllRunAtTheSameTime) {
  std::atomic<int> there{0};
  on_threads(4, [&](int) {
    ++there;
    while (there < 4) std::this_thread::yield();
  });
  EXPECT_EQ(there, 4);
}

TEST(OnThreads, TheFirstExceptionEndsTheOthersWait) {
  std::atomic<bool> failed{false};
  const auto run = [&] {
    on_threads(
        3,
        [&](int number) {
          if (number == 1) throw std::runtime_error("first");
          while (!failed) std::this_thread::yield();
          throw std::runtime_error("later");
        },
        [&] { failed = true; });
  };
  try {
    run();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

}  // namespace
}  // namespace apsp::system::on_threads_test
