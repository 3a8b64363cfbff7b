// A team of threads that runs the steps of blocked Floyd-Warshall: the common part of the Places of
// one host memory.
//
// Each operation of a step is a list of tasks that threads claim. A thread waits only before a task
// whose operands are not ready, never at the end of an operation. One thread closes the next
// diagonal tile during the remainder of a step; then all threads update the next panels before they
// continue with the remainder. A task of the remainder waits only for the same task of the step
// before, so a thread that lost its core holds up only the users of its tile. A derived Place gives
// the number of tasks and does them.
#pragma once

#include <apsp/progress.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/control.hpp"
#include "dense/tile.hpp"
#include "system/event_count.hpp"

namespace apsp::dense {

/// A list of items without an order among them, claimed one by one.
class SharedPhase {
 public:
  void set_items(std::int64_t items) { items_ = items; }

  /// Runs `work(item)` for one item that no other member has claimed; false: there is none.
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
/// caches still hold those tiles. A member whose range is empty continues with those of others.
class HomeRanges {
 public:
  void set_items(std::int64_t items, int members) {
    items_ = items;
    size_ = members;
    next_ = std::make_unique<Counter[]>(static_cast<std::size_t>(members));
    for (int home = 0; home < members; ++home) next_[at(home)].value = begin(home);
  }

  std::int64_t begin(int home) const { return items_ * home / size_; }

  /// Claims an item; −1: none is left. `offset` counts the ranges that this member found empty in
  /// this step, its own first; initially 0.
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

class TeamPlace {
 public:
  std::int64_t tiles() const { return tiles_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }

  /// Reasons to wait.
  enum class Awaited { panels, rest_item, free_panels };
  /// Seconds that the members of the last run waited in total, for each of `Awaited`.
  const std::array<double, 3>& waits() const { return waits_; }

  /// One thread's view of the Place: the operations of the driver (blocked_floyd_warshall.hpp).
  class Member {
   public:
    Member(TeamPlace& place, int index) : place_(place), index_(index) {}
    ~Member();
    std::int64_t tiles() const { return place_.tiles_; }
    bool stopped() const { return place_.stopped(); }
    void close(Tile k);
    void update_panels(Tile k);
    void update_cross(Tile k);
    void update_rest(Tile k);

   private:
    bool panels_may_begin(Tile k) const;
    bool update_one_panel_tile(Tile k);
    void share_cross(Tile k);
    void update_rest_item(Tile k, std::int64_t item);
    void tell_progress(bool at_once);
    /// Waits until `ready()`, or until the Place stops.
    template <class Ready>
    void await(Awaited what, const Ready& ready);
    /// Waits until the panels of step k are complete and other tiles may be changed.
    void await_panels(Tile k);
    /// Waits until step k may update the tiles of this task of the remainder.
    void await_rest_item(Tile k, std::int64_t item);
    void await_rest_before_cross(Tile k, std::int64_t item);

    TeamPlace& place_;
    int index_;
    bool closes_next_ = false;  // this member has updated the next diagonal tile
    double relaxations_ = 0;    // done, not yet reported
    std::array<double, 3> waits_{};
    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
  };

 protected:
  /// The remainder of a step reads copies of the panels, or the panels in the matrix, which then
  /// must not change until the remainder is done.
  enum class Panels { copied, in_place };

  TeamPlace(std::int64_t tiles, int threads, const Control& control, Panels panels);
  virtual ~TeamPlace() = default;

  /// Numbers of tasks of a step; the last step has no cross. A task of the remainder updates the
  /// same tiles in every step.
  struct Tasks {
    std::int64_t panels, cross, rest;
  };
  void set_tasks(const Tasks& tasks);
  /// The panel tile that task `item` of step k updates. Tasks count the tiles other than k, once
  /// for each panel.
  Tile panel_tile(Tile k, std::int64_t item) const;

  /// Runs the driver on every thread. Throws `Error` (interrupted), and exceptions of a task or of
  /// the caller's progress.
  void run_threads(const std::string& activity, double relaxations);
  void stop();

  int threads() const { return threads_; }

 private:
  struct Step {
    SharedPhase close, panels, diagonal, cross;
    HomeRanges rest;
  };

  virtual void close_tile(Tile k) = 0;
  virtual void update_panel(Tile k, std::int64_t item) = 0;
  /// Updates tile (k + 1, k + 1).
  virtual void update_diagonal(Tile k) = 0;
  virtual void update_cross_tile(Tile k, std::int64_t item) = 0;
  /// Returns the relaxations to report; all tasks of the remainder together report n³.
  virtual double update_rest_item(Tile k, std::int64_t item) = 0;
  /// The task of the remainder that, in other steps, updates the tile of cross task `item` of step
  /// k; item −1 is tile (k + 1, k + 1). Called only where panels are copied.
  virtual std::int64_t rest_item_of_cross(Tile k, std::int64_t item) const = 0;

  Step& step(Tile k) { return steps_[static_cast<std::size_t>(k.number())]; }
  template <class F>
  bool share_one(SharedPhase& phase, F&& work);
  std::atomic<std::int32_t>& steps_of(std::int64_t item) {
    return steps_of_item_[static_cast<std::size_t>(item)];
  }

  std::int64_t tiles_;
  int threads_;
  const Control& control_;
  Panels panels_;
  std::unique_ptr<Step[]> steps_;  // [tiles]
  std::unique_ptr<std::atomic<std::int32_t>[]>
      steps_of_item_;  // [tasks of the remainder] steps done
  std::atomic<bool> stop_{false};
  system::EventCount changed_;
  std::unique_ptr<base::ProgressTask> progress_;
  double relaxations_ = 0;  // the whole run
  std::mutex waits_mutex_;
  std::array<double, 3> waits_{};
};

}  // namespace apsp::dense
