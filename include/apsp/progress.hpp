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

/// While one lives, all work of the library on this thread listens to the cancellation, also on
/// threads that the work starts, and in functions that take no `Control`, such as `generate`: they
/// throw `Error` of kind `interrupted`. Of several on one thread the last one counts. Null: changes
/// nothing.
class Cancellable {
 public:
  explicit Cancellable(const Cancellation* cancellation) noexcept;
  ~Cancellable();
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;

 private:
  const Cancellation* before_;
};

/// What a caller hands to long work; both may be null. Work that sees `cancellation` raised
/// throws `Error` of kind `interrupted`.
struct Control {
  Progress* progress = nullptr;
  const Cancellation* cancellation = nullptr;
};

}  // namespace apsp
