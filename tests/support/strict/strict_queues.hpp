// Queues that run nothing until someone waits for them, and events between them.
//
// Each operation carries a vector clock: what it comes after by its queue, by events and by what
// the host had seen when it was given. Two accesses that clocks do not order are a race, whatever
// order they happened to run in. The first operation that fails takes the device with it: what was
// given and not yet run is dropped, and every later wait reports the failure again.
//
// Devices that are peers share one of these, each with a number and a thread of its own. What the
// thread of one has seen the end of orders nothing that another gives: between them only events do.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <vector>

#include "kernels/device_queues.hpp"
#include "support/strict/strict_memory.hpp"

namespace apsp::kernels::strict {

class Queues {
 public:
  /// `device`: whose it is.
  QueueId make_queue(int device);
  void give(QueueId queue, std::function<void()> work);
  EventId record(QueueId queue);
  /// For an event of the device `of`; anything else is misuse.
  void wait(QueueId queue, int of, EventId event);
  void await(int device, EventId event);
  void synchronize(QueueId queue);

  bool idle() const;            ///< nothing that was given is yet to run
  bool idle(int device) const;  ///< of that device's queues
  bool none() const { return queues_.empty(); }
  /// What was given to a device that ends is dropped.
  void drop(int device);
  /// Of the operation that runs now.
  const Clock& clock(QueueId queue) const {
    return queues_.at(static_cast<std::size_t>(queue)).clock;
  }

 private:
  struct Queue {
    int device = 0;
    std::deque<std::function<void()>> work;  // given and not yet run
    std::size_t given = 0;                   // how many were ever given
    std::size_t done = 0;
    Clock clock;                 // what this queue's next operation comes after
    std::vector<Clock> history;  // [done + 1] the clock after each operation
  };
  struct Event {
    QueueId queue = 0;
    std::size_t count = 0;  // reached once so many operations of the queue are done
  };

  Queue& at(QueueId queue);
  Clock& host_clock(int device);
  Event at_event(EventId event) const;
  void run_until(QueueId id, std::size_t count);
  void run_next(QueueId id);

  std::deque<Queue> queues_;
  std::vector<Event> events_;
  std::vector<Clock> host_clocks_;  // what the thread of each device has seen the end of
  std::exception_ptr failure_;
};

}  // namespace apsp::kernels::strict
