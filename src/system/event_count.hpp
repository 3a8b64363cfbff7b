// Waiting for other threads: poll for some microseconds, then sleep.
//
// Threads wait for a condition over atomics. A thread that changes one calls `notify`, which costs
// a fence and a load if nobody sleeps, and otherwise wakes all sleepers. Spinning only would take
// the core from the awaited thread if threads outnumber cores. Sleeping only costs tens of
// microseconds per wait, too much for small problems. A sleeper leaves its core to preempted
// threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace apsp::system {

/// Time to poll before a sleep, if recent waits were long: half the cost of a sleep and a wake.
inline std::atomic<std::int64_t> spin_nanoseconds{20'000};

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <class Ready>
bool spin_until(const Ready& ready, std::int64_t nanoseconds) {
  constexpr int kLooksATime = 16;  // polls between two readings of the clock
  using Clock = std::chrono::steady_clock;
  if (ready()) return true;
  const auto end = Clock::now() + std::chrono::nanoseconds(nanoseconds);
  do {
    for (int i = 0; i < kLooksATime; ++i) {
      if (ready()) return true;
      pause_briefly();
    }
  } while (Clock::now() < end);
  return ready();
}

/// Adapts the polling time to the last wait that ended asleep. A wait for a task of another thread
/// lasts tens of microseconds: polling five times as long saves a sleep and a wake. A wait for a
/// preempted thread lasts milliseconds; this thread should then free its core at once.
class Backoff {
 public:
  /// Polls, then calls `sleep`, which returns when `ready()` is true.
  template <class Ready, class Sleep>
  void wait(const Ready& ready, const Sleep& sleep) {
    using Clock = std::chrono::steady_clock;
    if (ready()) return;
    const std::int64_t least = spin_nanoseconds.load(std::memory_order_relaxed);
    const std::int64_t most = 5 * least;
    const auto start = Clock::now();
    if (spin_until(ready, short_waits_.load(std::memory_order_relaxed) ? most : least)) return;
    sleep();
    // After a short sleep, polling would have been faster.
    short_waits_.store(Clock::now() - start < std::chrono::nanoseconds(2 * most),
                       std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> short_waits_{true};
};

class EventCount {
 public:
  template <class Ready>
  void await(const Ready& ready) {
    backoff_.wait(ready, [&] { sleep(ready); });
  }

  /// Wakes the waiting threads. Called after each change that may make one of their conditions
  /// true.
  void notify() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_relaxed) == 0) return;
    events_.fetch_add(1, std::memory_order_release);
    events_.notify_all();
  }

 private:
  template <class Ready>
  void sleep(const Ready& ready) {
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    // Either `notify` sees this sleeper, or `ready` sees the change before `notify`.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (;;) {
      const std::uint32_t event = events_.load(std::memory_order_acquire);
      if (ready()) break;
      events_.wait(event, std::memory_order_acquire);
    }
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

  alignas(64) std::atomic<std::int32_t> sleepers_{0};
  alignas(64) std::atomic<std::uint32_t> events_{0};
  Backoff backoff_;
};

}  // namespace apsp::system
