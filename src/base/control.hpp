// Polling for cancellation, and a progress task that many threads may advance.
//
// A function that takes a `Control` asks it. Loops below such a function ask for their thread
// instead: whoever begins long work says with a `Cancellable` (apsp/progress.hpp) whom the thread
// listens to, and teams (team.hpp) hand that on to their members. A poll costs as much as a load;
// one every some milliseconds is enough.
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

/// Throws `Error` (interrupted) if the caller asked for an early end.
inline void check_cancelled(const Control& control) {
  if (cancelled(control)) throw Error(ErrorKind::interrupted, "interrupted");
}

/// Whom the work of this thread listens to; null: nobody.
inline thread_local constinit const Cancellation* cancellation_of_thread = nullptr;

/// Throws `Error` (interrupted) if an early end of this thread's work was asked for.
inline void check_cancelled() { check_cancelled(Control{nullptr, cancellation_of_thread}); }

/// The same at every so many steps of a loop. Requires: `steps` is a power of two.
inline void poll(std::size_t step, std::size_t steps = std::size_t{1} << 14) {
  if ((step & (steps - 1)) == 0) check_cancelled();
}

/// One task of a `Progress`, from construction to destruction; `advance` is thread-safe and cheap
/// enough to be called a few thousand times a second.
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
