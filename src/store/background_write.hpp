// A matrix on its way to the disk while something else is done with it.
//
// Copying a matrix to the system and waiting for the disk takes one core a third of the time and
// none for the rest, so statistics are gathered beside it. A store whose writes wait for each other
// is written by a thread of its own; for all others every thread first compresses and writes, and
// the thread only waits for the disk. `commit` comes afterwards and waits for what is left.
#pragma once

#include <apsp/progress.hpp>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>

#include "store/store.hpp"

namespace apsp::store {

class BackgroundWrite {
 public:
  /// Begins with the distances of `from`, which must not change until `finish`. Throws what the
  /// stores throw, and `Error` (interrupted).
  BackgroundWrite(Store& from, Store& to, int threads, const Control& control);
  /// Ends early what has not been written.
  ~BackgroundWrite();
  BackgroundWrite(const BackgroundWrite&) = delete;
  BackgroundWrite& operator=(const BackgroundWrite&) = delete;

  /// Returns when all is written; progress is shown. Throws what the thread met.
  void finish();

 private:
  /// Counts for whoever waits; the caller's progress belongs to the caller's thread.
  class Count final : public Progress {
   public:
    void begin(std::string_view, double, std::string_view) override {}
    void update(double done) override { done_.store(done, std::memory_order_relaxed); }
    void end() override {}
    double done() const { return done_.load(std::memory_order_relaxed); }

   private:
    std::atomic<double> done_{0};
  };

  void work();

  Store& from_;
  Store& to_;
  const Control& control_;
  Count count_;
  Cancellation ended_;  // by the caller's cancellation or the destructor
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;  // under the mutex
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace apsp::store
