// How threads wait for one another: they poll for some microseconds, then sleep.
//
// They wait for a condition over atomics that others change. Whoever changes one calls `notify`,
// which costs a fence and a load while nobody sleeps, and wakes all sleepers otherwise. Only to
// spin would take the core from the thread that is waited for where there are fewer cores than
// threads. Only to sleep costs tens of microseconds a turn, which small problems do not have. A
// sleeper also leaves its core to a thread that was pushed off its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace apsp::base {

/// How long a thread looks before it sleeps, if recent waits were long: about half of what a sleep
/// and a wake cost. Benchmarks vary it.
inline std::atomic<std::int64_t> spin_nanoseconds{20'000};

/// Tells the processor that this thread is waiting.
inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Whether `ready()` became true within `nanoseconds`.
template <class Ready>
bool spin_until(const Ready& ready, std::int64_t nanoseconds) {
  constexpr int kLooksATime = 16;  // looks between two readings of the clock
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

/// Waits, and learns from the last wait that ended asleep. A wait for another thread's work lasts
/// as long as a task, tens of microseconds: looking five times as long saves a sleep and a wake. A
/// wait for a thread that has lost its core lasts milliseconds, and this thread should free its own
/// core at once.
class Backoff {
 public:
  /// Looks for a while, then calls `sleep`, which returns when `ready()` holds.
  template <class Ready, class Sleep>
  void wait(const Ready& ready, const Sleep& sleep) {
    using Clock = std::chrono::steady_clock;
    if (ready()) return;
    const std::int64_t least = spin_nanoseconds.load(std::memory_order_relaxed);
    const std::int64_t most = 5 * least;
    const auto start = Clock::now();
    if (spin_until(ready, short_waits_.load(std::memory_order_relaxed) ? most : least)) return;
    sleep();
    // A short sleep: the wait would have been shorter without it.
    short_waits_.store(Clock::now() - start < std::chrono::nanoseconds(2 * most),
                       std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> short_waits_{true};
};

class EventCount {
 public:
  /// Returns when `ready()` holds.
  template <class Ready>
  void await(const Ready& ready) {
    backoff_.wait(ready, [&] { sleep(ready); });
  }

  /// Call it after a change that may make a waiting thread's condition true.
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
    // Either `notify` sees this sleeper, or `ready` sees the change that `notify` followed.
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

}  // namespace apsp::base
