// Lists of work items that the members of a team share out, without a barrier at either end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

namespace apsp::places {

/// A list of items without an order among them, claimed one by one.
class SharedPhase {
 public:
  void set_items(std::int64_t items) { items_ = items; }

  /// Runs `work(item)` for one item that no other member has taken. False: there is none.
  template <class F>
  bool share_one(F&& work) {
    // A look costs less than a claim, and many members ask long after the last item is gone.
    if (next_.load(std::memory_order_relaxed) >= items_) return false;
    const std::int64_t item = next_.fetch_add(1, std::memory_order_relaxed);
    if (item >= items_) return false;
    work(item);
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }

  bool complete() const { return done_.load(std::memory_order_acquire) >= items_; }

 private:
  alignas(64) std::atomic<std::int64_t> next_{0};
  alignas(64) std::atomic<std::int64_t> done_{0};
  std::int64_t items_ = 0;
};

/// A list of items in which every member has a home range, the same in every step, so that its
/// caches still hold what it wrote there. A member whose range is empty goes on with the ranges of
/// the others, so a member that has no core holds up nobody.
class HomeRanges {
 public:
  void set_items(std::int64_t items, int members) {
    items_ = items;
    size_ = members;
    next_ = std::make_unique<Counter[]>(static_cast<std::size_t>(members));
    for (int home = 0; home < members; ++home) next_[at(home)].value = begin(home);
  }

  std::int64_t begin(int home) const { return items_ * home / size_; }

  /// Claims an item; −1: there is none left. `offset` counts the homes that this member has found
  /// empty in this step, its own first; it is 0 at first.
  std::int64_t claim(int member, int& offset) {
    for (; offset < size_; ++offset) {
      const int home = (member + offset) % size_;
      std::atomic<std::int64_t>& next = next_[at(home)].value;
      const std::int64_t end = begin(home + 1);
      if (next.load(std::memory_order_relaxed) >= end) continue;
      const std::int64_t item = next.fetch_add(1, std::memory_order_relaxed);
      if (item < end) return item;
    }
    return -1;
  }

  /// Counts `items` more items as done.
  void note_done(std::int64_t items) {
    if (items > 0) done_.fetch_add(items, std::memory_order_release);
  }
  bool complete() const { return done_.load(std::memory_order_acquire) >= items_; }

 private:
  struct alignas(64) Counter {
    std::atomic<std::int64_t> value{0};
  };
  static std::size_t at(int home) { return static_cast<std::size_t>(home); }

  alignas(64) std::atomic<std::int64_t> done_{0};
  std::int64_t items_ = 0;
  int size_ = 1;
  std::unique_ptr<Counter[]> next_;  // [members]
};

}  // namespace apsp::places
