// A list of work items that the members of a team share out, without a barrier at either end.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace apsp {

class SharedPhase {
 public:
  void set_items(std::int64_t items) { items_ = items; }

  /// Runs `work(item)` for the items that no other member has taken.
  template <class F>
  void share(F&& work) {
    for (;;) {
      const std::int64_t item = next_.fetch_add(1, std::memory_order_relaxed);
      if (item >= items_) return;
      work(item);
      done_.fetch_add(1, std::memory_order_release);
    }
  }

  /// Returns when every item is done, or `stop` is raised.
  void await(const std::atomic<bool>& stop) const {
    while (done_.load(std::memory_order_acquire) < items_) {
      if (stop.load(std::memory_order_relaxed)) return;
      std::this_thread::yield();
    }
  }

 private:
  alignas(64) std::atomic<std::int64_t> next_{0};
  alignas(64) std::atomic<std::int64_t> done_{0};
  std::int64_t items_ = 0;
};

}  // namespace apsp
