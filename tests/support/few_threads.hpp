// A system that gives a process only so many more threads, for tests of what then happens.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "support/address_limit.hpp"

namespace apsp {

/// While it lives, this process has addresses for the stacks of at most `threads` threads more.
/// Threads of a pool that have begun before do not count.
class FewThreads {
 public:
  explicit FewThreads(int threads) : limit_(threads * kStackBytes + kStackBytes / 2) {
    pthread_getattr_default_np(&before_);
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, kStackBytes);
    pthread_setattr_default_np(&large);
    pthread_attr_destroy(&large);
  }
  ~FewThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;

 private:
  static constexpr std::int64_t kStackBytes = std::int64_t{512} << 20;
  AddressLimit limit_;
  pthread_attr_t before_;
};

}  // namespace apsp
