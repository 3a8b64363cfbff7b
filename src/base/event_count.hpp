// How threads wait for one another: they look again for some microseconds, then sleep.
//
// What is waited for is a condition over atomics that others change. Whoever changes one calls
// `notify`, which costs a fence and a load while nobody sleeps, and wakes all sleepers otherwise.
// Spinning alone would take the core from the very thread that is waited for wherever there are
// fewer cores than threads; sleeping alone costs tens of microseconds a turn, which small problems
// do not have. A sleeper also leaves its core free, so that the system moves a thread there that
// was pushed off its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace apsp::base {

/// How long a thread looks before it sleeps: about what a sleep and a wake cost. Benchmarks vary
/// it.
extern std::atomic<std::int64_t> spin_nanoseconds;

/// Tells the processor that this thread is waiting.
inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Whether `ready()` came true within `spin_nanoseconds`.
template <class Ready>
bool spin_until(const Ready& ready) {
  constexpr int kLooksATime = 16;  // between two questions for the time
  using Clock = std::chrono::steady_clock;
  if (ready()) return true;
  const auto end =
      Clock::now() + std::chrono::nanoseconds(spin_nanoseconds.load(std::memory_order_relaxed));
  do {
    for (int i = 0; i < kLooksATime; ++i) {
      if (ready()) return true;
      pause_briefly();
    }
  } while (Clock::now() < end);
  return ready();
}

class EventCount {
 public:
  /// Returns when `ready()` holds.
  template <class Ready>
  void await(const Ready& ready) {
    if (spin_until(ready)) return;
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    // Either `notify` sees this sleeper, or `ready` sees what `notify` came after.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (;;) {
      const std::uint32_t event = events_.load(std::memory_order_acquire);
      if (ready()) break;
      events_.wait(event, std::memory_order_acquire);
    }
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// After a change that may make somebody's condition true.
  void notify() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_relaxed) == 0) return;
    events_.fetch_add(1, std::memory_order_release);
    events_.notify_all();
  }

 private:
  alignas(64) std::atomic<std::int32_t> sleepers_{0};
  alignas(64) std::atomic<std::uint32_t> events_{0};
};

}  // namespace apsp::base
