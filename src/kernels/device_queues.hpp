// The queues of a device, on which copies and kernels run in order and asynchronously.
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

using QueueId = int;
using EventId = std::int64_t;

/// Work of a queue with the higher priority is done first where both are ready.
enum class Priority { low, high };

/// Work on one queue runs in the order in which it was given. Only events order work of different
/// queues. Host memory given to a copy stays unchanged until the queue was synchronized. An error
/// of queued work appears in `synchronize`, `await` or `reached` at the latest.
class DeviceQueues {
 public:
  virtual ~DeviceQueues() = default;

  virtual QueueId make_queue(Priority priority = Priority::low) = 0;
  /// Host tile → device tile of the same shape, and back.
  virtual void copy_in(QueueId queue, View device, ConstView host, int value_size) = 0;
  virtual void copy_out(QueueId queue, View host, ConstView device, int value_size) = 0;

  /// An event that is reached when everything given to the queue so far is done.
  virtual EventId record(QueueId queue) = 0;
  virtual void wait(QueueId queue, EventId event) = 0;
  /// Blocks the host until the event is reached. Throws `Error` (device) if work failed.
  virtual void await(EventId event) = 0;
  /// Returns whether the event is reached. A device that cannot tell blocks until it is. Throws as
  /// `await`.
  virtual bool reached(EventId event) {
    await(event);
    return true;
  }
  /// Blocks until the queue is empty. Throws `Error` (device) if its work failed.
  virtual void synchronize(QueueId queue) { await(record(queue)); }
  /// Runs a piece of the queued work on the calling thread, where the device computes on threads
  /// that wait for it. Returns false where there is no piece to run now.
  virtual bool work() { return false; }
};

}  // namespace apsp::kernels
