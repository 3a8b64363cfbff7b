// Reads and writes of a disk, done one after another by a thread of their own, under the work of
// others. What is posted later sees what was posted before: a buffer may be read into as soon as
// its writing was posted.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace apsp::places {

class DiskQueue {
 public:
  /// The place of an order, counted from 1; 0: nothing to wait for.
  using Request = std::int64_t;

  DiskQueue();
  /// Orders that were not begun are dropped.
  ~DiskQueue();
  DiskQueue(const DiskQueue&) = delete;
  DiskQueue& operator=(const DiskQueue&) = delete;

  Request post(std::function<void()> order);
  /// Returns when the order is done. Throws what an order threw; none is begun after that.
  void wait(Request request);
  /// Seconds that callers spent in `wait`.
  double seconds_waited() const { return seconds_waited_; }

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable posted_, done_;
  // All under the mutex.
  std::deque<std::function<void()>> orders_;
  Request last_posted_ = 0, last_done_ = 0;
  std::exception_ptr failure_;
  bool ends_ = false;
  double seconds_waited_ = 0;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace apsp::places
