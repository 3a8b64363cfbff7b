// Work of several threads: teams from a permanent thread pool, and dedicated threads for parts that
// wait for one another.
//
// Members of a team claim work; a member that gets no core in time is left out. Only members that
// have begun are awaited, asleep. All threads of an OpenMP region spin at its end, and none may
// throw. Waking a thread costs the caller some 5 µs, and the thread 50 to 80; after a team, its
// threads poll for the next one for a while. A child after fork() gets its own pool.
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/control.hpp"

namespace apsp::system {

/// Blocks signals that end a process, for the calling thread and threads that it creates meanwhile.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&blocked, signal);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

/// Runs member(0) on the calling thread and member(i), 0 < i < threads, on those threads of the
/// pool that start in time, with the cancellation of the calling thread (control.hpp). Returns when
/// all that began have ended. Throws the first of their exceptions.
void run_threads(int threads, const std::function<void(int)>& member);

/// Runs work(item), or work(item, member) with 0 ≤ member < threads, for all items below n; at most
/// `threads` threads claim items, `most` at a time. Throws the first exception of `work`, and
/// `Error` (interrupted) if the calling thread's work is cancelled, which skips unclaimed items.
template <class F>
void parallel_for(std::int64_t n, int threads, std::int64_t most, F&& work) {
  // Claims per thread, so many that the last ones are short.
  constexpr std::int64_t kClaimsAThread = 32;
  const auto members = static_cast<int>(std::clamp<std::int64_t>(n, 1, std::max(1, threads)));
  const std::int64_t few = std::clamp<std::int64_t>(n / (kClaimsAThread * members), 1, most);
  std::atomic<std::int64_t> next{0};
  run_threads(members, [&](int member) {
    for (;;) {
      const std::int64_t begin = next.fetch_add(few, std::memory_order_relaxed);
      if (begin >= n) return;
      try {
        base::check_cancelled();
        for (std::int64_t i = begin; i < std::min(begin + few, n); ++i) {
          if constexpr (std::is_invocable_v<F&, std::int64_t, int>) {
            work(i, member);
          } else {
            work(i);
          }
        }
      } catch (...) {
        next.store(n, std::memory_order_relaxed);
        throw;
      }
    }
  });
}

/// The same for items of similar size; chooses `most`.
template <class F>
void parallel_for(std::int64_t n, int threads, F&& work) {
  parallel_for(n, threads, std::numeric_limits<std::int64_t>::max(), std::forward<F>(work));
}

/// Runs work(row) for n rows on all threads. Throws `Error` (interrupted), and what `work` throws.
template <class F>
void for_each_row(std::int64_t n, int threads, const Control& control, F&& work) {
  parallel_for(n, threads, [&](std::int64_t i) {
    if (!base::cancelled(control)) work(i);
  });
  base::check_cancelled(control);
}

/// Runs each(0) on the calling thread and each(i), 0 < i < count, on dedicated threads. `fail` is
/// called when one has thrown, so that the others stop waiting for it. Throws the first exception
/// when all have ended; `Error` (does_not_fit) if the system provides fewer threads.
void on_threads(
    int count, const std::function<void(int)>& each, const std::function<void()>& fail = [] {});

}  // namespace apsp::system
