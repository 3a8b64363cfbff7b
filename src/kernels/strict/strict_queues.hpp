// Queues that run nothing until someone waits for them, and events between them.
//
// Each operation carries a vector clock: what it comes after by its queue, by events and by what
// the host had seen when it was given. Two accesses that clocks do not order are a race, whatever
// order they happened to run in. The first operation that fails takes the device with it: what was
// given and not yet run is dropped, and every later wait reports the failure again.
#pragma once

#include <apsp/error.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/device.hpp"
#include "kernels/strict/strict_memory.hpp"

namespace apsp::kernels::strict {

class Queues {
 public:
  QueueId make_queue();
  void give(QueueId queue, std::function<void()> work);
  EventId record(QueueId queue);
  void wait(QueueId queue, EventId event);
  void await(EventId event);
  void synchronize(QueueId queue);

  bool idle() const;  ///< nothing that was given is yet to run
  /// Of the operation that runs now.
  const Clock& clock(QueueId queue) const {
    return queues_.at(static_cast<std::size_t>(queue)).clock;
  }

 private:
  struct Queue {
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
  Event at_event(EventId event) const;
  void run_until(QueueId id, std::size_t count);
  void run_next(QueueId id);

  std::deque<Queue> queues_;
  std::vector<Event> events_;
  Clock host_clock_;  // what the host has seen the end of
  std::optional<Error> failure_;
};

}  // namespace apsp::kernels::strict
