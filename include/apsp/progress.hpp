// Progress reports and cancellation for long work.
#pragma once

#include <atomic>
#include <string_view>

namespace apsp {

/// Receives the progress of one task after another. Calls come from one thread at a time.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A task of `total` units begins ("relaxation", "byte", "row"); a running task ends by this.
  virtual void begin(std::string_view task, double total, std::string_view unit) = 0;
  /// `done` units of the task are complete, counted from its beginning.
  virtual void update(double done) = 0;
  virtual void end() = 0;
};

/// A flag that any thread or signal handler may raise; long work polls it at safe points.
class Cancellation {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
};

/// What a caller hands to long work; both may be null. Work that sees `cancellation` raised
/// throws `Error` of kind `interrupted`.
struct Control {
  Progress* progress = nullptr;
  const Cancellation* cancellation = nullptr;
};

}  // namespace apsp
