// Reads and writes of a disk, one after another, while other threads work.
//
// Orders run in the order of posting, so a buffer may be filled again as soon as its writing was
// posted. Threads share the pieces of an order: checksums take about as long as a fast disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/seconds_since.hpp"
#include "kernels/host/host_device.hpp"

namespace apsp::dense {

class DiskQueue {
 public:
  using EventId = kernels::EventId;

  /// `threads`: without the one that posts and waits.
  explicit DiskQueue(int threads)
      : queues_(1 + threads), queue_(queues_.make_queue(kernels::Priority::low)) {}

  /// Runs order(piece) for all pieces, on any threads. Returns an event that is reached at their
  /// end.
  EventId post(std::int64_t pieces, std::function<void(std::int64_t)> order) {
    queues_.give(queue_, pieces, std::move(order));
    return queues_.record(queue_);
  }
  EventId post(std::function<void()> order) {
    return post(1, [order = std::move(order)](std::int64_t) { order(); });
  }
  /// Returns when the event is reached; −1: at once. Throws what an order threw; none is begun
  /// after that.
  void wait(EventId posted) {
    if (posted < 0) return;
    const auto start = std::chrono::steady_clock::now();
    queues_.await(posted);
    waited_ += base::seconds_since(start);
  }
  /// Seconds in which `wait` has waited.
  double waited() const { return waited_; }

 private:
  kernels::host::HostQueues queues_;
  kernels::QueueId queue_;
  double waited_ = 0;
};

}  // namespace apsp::dense
