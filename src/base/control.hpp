// Polling for cancellation, and a progress task that many threads may advance.
#pragma once

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
