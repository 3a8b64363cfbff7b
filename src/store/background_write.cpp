#include "store/background_write.hpp"

#include <chrono>

#include "base/control.hpp"
#include "store/copy_planes.hpp"

namespace apsp::store {

BackgroundWrite::BackgroundWrite(Store& from, Store& to, int threads, const Control& control)
    : from_(from), to_(to), control_(control) {
  if (!to.writes_in_turn()) copy_plane(Plane::distance, from, to, threads, control);
  thread_ = std::thread([this] { work(); });
}

BackgroundWrite::~BackgroundWrite() {
  ended_.request();
  if (thread_.joinable()) thread_.join();
}

void BackgroundWrite::work() {
  try {
    if (to_.writes_in_turn()) {
      copy_plane(Plane::distance, from_, to_, 1, {&count_, &ended_});
    }
    to_.flush();
  } catch (...) {
    failure_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  done_ = true;
  finished_.notify_all();
}

void BackgroundWrite::finish() {
  const Layout& layout = to_.layout();
  const double n = static_cast<double>(layout.n);
  constexpr auto kShown = std::chrono::milliseconds(50);  // how often progress is
  std::unique_lock lock(mutex_);
  if (!finished_.wait_for(lock, kShown, [this] { return done_; })) {
    base::ProgressTask progress(control_, "writing distance",
                                n * n * value_size(layout, Plane::distance), "byte");
    double shown = 0;
    do {
      if (base::cancelled(control_)) ended_.request();
      const double done = count_.done();
      progress.advance(done - shown);
      shown = done;
    } while (!finished_.wait_for(lock, kShown, [this] { return done_; }));
  }
  lock.unlock();
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace apsp::store
