#include "base/on_threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <apsp/error.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "base/machine.hpp"
#include "testing/error_of.hpp"
#include "testing/watched.hpp"

namespace apsp::base {
namespace {

/// While it lives, this process has addresses for the stacks of one or two more threads.
class FewThreads {
 public:
  FewThreads() {
    pthread_attr_init(&usual_stack_);
    pthread_getattr_default_np(&usual_stack_);
    pthread_attr_t large_stack;
    pthread_attr_init(&large_stack);
    pthread_attr_setstacksize(&large_stack, kStackBytes);
    pthread_setattr_default_np(&large_stack);
    pthread_attr_destroy(&large_stack);
    getrlimit(RLIMIT_AS, &usual_limit_);
    rlimit limit = usual_limit_;
    limit.rlim_cur =
        static_cast<rlim_t>(process_memory("VmSize")) + 2 * kStackBytes + kStackBytes / 2;
    setrlimit(RLIMIT_AS, &limit);
  }
  ~FewThreads() {
    setrlimit(RLIMIT_AS, &usual_limit_);
    pthread_setattr_default_np(&usual_stack_);
    pthread_attr_destroy(&usual_stack_);
  }
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;

 private:
  static constexpr std::size_t kStackBytes = std::size_t{512} << 20;
  pthread_attr_t usual_stack_;
  rlimit usual_limit_;
};

TEST(OnThreads, ThreadsThatTheSystemRefusesEndTheOthersWait) {
  if (watched()) GTEST_SKIP() << "tools that look at every access need addresses of their own";
  std::atomic<bool> failed{false};
  const Error error = error_of([&] {
    const FewThreads few;
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
}  // namespace apsp::base
