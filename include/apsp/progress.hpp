// Progress reports and cancellation for long work.
#pragma once

#include <atomic>
#include <string_view>

namespace apsp {

/// Receives the progress of one task after another. Calls come from one thread at a time.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Begins a task of `total` units ("relaxation", "byte", "row") and ends a running one.
  virtual void begin(std::string_view task, double total, std::string_view unit) = 0;
  /// `done`: completed units of the task since its beginning.
  virtual void update(double done) = 0;
  virtual void end() = 0;
};

/// A flag that any thread or signal handler may raise; long work polls it.
class Cancellation {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
};

/// During its lifetime, the work of the library on this thread, and on threads that this work
/// starts, throws `Error` (interrupted) once the cancellation is requested, also in functions
/// without a `Control`, such as `generate`. The last of several on one thread counts; null changes
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

/// Callbacks of long work; both may be null. A raised `cancellation` throws `Error` (interrupted).
struct Control {
  Progress* progress = nullptr;
  const Cancellation* cancellation = nullptr;
};

}  // namespace apsp
