// Polling for cancellation, and progress tasks that several threads advance.
//
// Functions with a `Control` check it. Loops below them check the cancellation of their thread
// instead, which a `Cancellable` (apsp/progress.hpp) sets and `on_threads` (system/threads.hpp)
// passes to its threads. A poll costs as much as a load; one every few milliseconds is enough.
#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>

#include <apsp/error.hpp>
#include <apsp/progress.hpp>

namespace apsp::base {

inline bool cancelled(const Control& control) {
  return control.cancellation != nullptr && control.cancellation->requested();
}

inline void check_cancelled(const Control& control) {
  if (cancelled(control)) throw Error(ErrorKind::interrupted, "interrupted");
}

/// Cancellation that applies to the work of this thread; may be null.
inline thread_local constinit const Cancellation* cancellation_of_thread = nullptr;

/// Throws `Error` (interrupted) if this thread's work is cancelled.
inline void check_cancelled() { check_cancelled(Control{nullptr, cancellation_of_thread}); }

/// The same, once in so many steps of a loop. Requires: `steps` is a power of two.
inline void poll(std::size_t step, std::size_t steps = std::size_t{1} << 14) {
  if ((step & (steps - 1)) == 0) check_cancelled();
}

/// A task of a `Progress` while it lives. `advance` is thread-safe, for some thousand calls a
/// second.
class ProgressTask {
 public:
  ProgressTask(const Control& control, std::string_view task, double total, std::string_view unit)
      : progress_(control.progress) {
    if (progress_ != nullptr) progress_->begin(task, total, unit);
  }
  ~ProgressTask() {
    if (progress_ != nullptr) progress_->end();
  }
  ProgressTask(const ProgressTask&) = delete;
  ProgressTask& operator=(const ProgressTask&) = delete;

  void advance(double units) {
    if (progress_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    done_ += units;
    progress_->update(done_);
  }

 private:
  Progress* progress_;
  std::mutex mutex_;
  double done_ = 0;
};

}  // namespace apsp::base
