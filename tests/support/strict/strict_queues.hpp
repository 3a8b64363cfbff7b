// Queues that run nothing until someone waits for them, and events between them.
//
// Each operation carries a vector clock: what it comes after by its queue, by events and by what
// the host had seen when it was given. Two accesses that clocks do not order are a race, whatever
// order they happened to run in. The first operation that fails takes the device with it: what was
// given and not yet run is dropped, and every later wait reports the failure again.
//
// Peers share one object, each with a number and a thread of its own. Only events order their work:
// an end that the thread of one has seen orders nothing for another.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <vector>

#include "kernels/tile_kernels.hpp"
#include "support/strict/strict_memory.hpp"

namespace apsp::kernels::strict {

class Queues {
 public:
  /// `device`: whose it is.
  QueueId make_queue(int device);
  void give(QueueId queue, std::function<void()> work);
  EventId record(QueueId queue);
  /// Requires: the event is of the device `of`.
  void wait(QueueId queue, int of, EventId event);
  void await(int device, EventId event);
  void synchronize(QueueId queue);

  bool idle() const;            ///< nothing that was given is yet to run
  bool idle(int device) const;  ///< of that device's queues
  bool none() const { return queues_.empty(); }
  /// Drops the work of a device that ends.
  void drop(int device);
  /// The clock of the running operation.
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
