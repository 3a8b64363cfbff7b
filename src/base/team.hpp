// A team of threads for one piece of work, from a pool that is kept between pieces.
//
// Members claim work, it is never distributed: a member that gets no core in time is not called and
// not waited for. Only members that have begun are awaited, asleep. An OpenMP region differs: all
// its threads meet at its end, spinning, and none may throw.
// Waking a thread costs the caller some 5 µs, and the thread 50 to 80; for a while after a team its
// threads look for the next one before they sleep. A child after fork() gets a pool of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace apsp::base {

/// Runs member(0) on the calling thread and member(i), 0 < i < threads, on those threads of the
/// pool that come in time. Returns when all that began have ended. Throws the first of their
/// exceptions.
void run_team(int threads, const std::function<void(int)>& member);

/// Runs work(item), or work(item, member) with 0 ≤ member < threads, for all items below n; at most
/// `threads` threads claim items, `most` at a time. Throws the first exception of `work`; items
/// that nobody had claimed by then are left undone.
template <class F>
void share_items(std::int64_t n, int threads, std::int64_t most, F&& work) {
  // Enough claims of each thread that the last ones are short beside the whole.
  constexpr std::int64_t kClaimsAThread = 32;
  const auto members = static_cast<int>(std::clamp<std::int64_t>(n, 1, std::max(1, threads)));
  const std::int64_t few = std::clamp<std::int64_t>(n / (kClaimsAThread * members), 1, most);
  std::atomic<std::int64_t> next{0};
  run_team(members, [&](int member) {
    for (;;) {
      const std::int64_t begin = next.fetch_add(few, std::memory_order_relaxed);
      if (begin >= n) return;
      try {
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

/// The same for items of about one size, as many at a time as is cheap.
template <class F>
void share_items(std::int64_t n, int threads, F&& work) {
  share_items(n, threads, std::numeric_limits<std::int64_t>::max(), std::forward<F>(work));
}

}  // namespace apsp::base
