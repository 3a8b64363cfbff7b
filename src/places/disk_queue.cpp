#include "places/disk_queue.hpp"

#include <chrono>
#include <utility>

#include "base/blocked_signals.hpp"

namespace apsp::places {

DiskQueue::DiskQueue() {
  const base::BlockedSignals blocked;
  thread_ = std::thread([this] { work(); });
}

DiskQueue::~DiskQueue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  posted_.notify_all();
  thread_.join();
}

DiskQueue::Request DiskQueue::post(std::function<void()> order) {
  const std::lock_guard lock(mutex_);
  orders_.push_back(std::move(order));
  posted_.notify_all();
  return ++last_posted_;
}

void DiskQueue::wait(Request request) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return failure_ || last_done_ >= request; });
  seconds_waited_ += std::chrono::duration<double>(Clock::now() - start).count();
  if (failure_) std::rethrow_exception(failure_);
}

void DiskQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    posted_.wait(lock, [this] { return ends_ || (!orders_.empty() && !failure_); });
    if (ends_) return;
    const std::function<void()> order = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      order();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    if (!failure) ++last_done_;
    done_.notify_all();
  }
}

}  // namespace apsp::places
