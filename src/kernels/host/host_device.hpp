// The host's threads and memory as a device, for a process of a grid that has no GPU.
//
// Work is queued as on any device and cut into pieces of about a tile. Threads of the device take
// pieces from the queue of the highest priority that has one; so does the thread that gives the
// orders, whenever it waits or is told to `work`: with one thread it does everything, and between
// two pieces it can look after messages. The tile operations are those of the contract; a packed
// panel is its tiles' packed operands one after another.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "kernels/device.hpp"

namespace apsp::kernels::host {

/// Queues of work in pieces, and events between them, run by threads that come for a piece.
class HostQueues {
 public:
  /// `threads`: that run pieces, the one that waits included.
  explicit HostQueues(int threads);
  ~HostQueues();

  QueueId make_queue(Priority priority);
  /// run(piece) for every piece below `pieces`, on any threads, after all that the queue was given.
  void give(QueueId queue, std::int64_t pieces, std::function<void(std::int64_t)> run);
  EventId record(QueueId queue);
  void wait(QueueId queue, EventId event);

  /// Throws what a piece threw.
  bool reached(EventId event);
  void await(EventId event);
  /// Runs one piece, if there is one to run; false: there is none.
  bool work();

 private:
  struct Job {
    EventId awaited = -1;  // ≥ 0: it waits, and has no pieces
    std::int64_t pieces = 0, claimed = 0, done = 0;
    std::function<void(std::int64_t)> run{};
  };
  struct HostQueue {
    Priority priority = Priority::low;
    std::deque<Job> jobs{};  // given and not yet done
    std::int64_t given = 0, done = 0;
  };
  struct HostEvent {
    QueueId queue = 0;
    std::int64_t count = 0;  // reached once so many jobs of the queue are done
  };

  bool is_reached(EventId event) const;
  void end_waits();
  HostQueue* next_queue();
  void run_piece(HostQueue& queue, std::unique_lock<std::mutex>& lock);
  void serve();
  void end();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<HostQueue> queues_;
  std::vector<HostEvent> events_;
  std::exception_ptr failure_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

/// `tile`: the granule; matrices are cut into tiles of that side. `threads`: that compute, the one
/// that waits included. Rows that lists name (listed_rows.hpp) are not offered.
std::unique_ptr<ComputeDevice> make_device(const TileOperations& operations,
                                           const std::optional<WitnessOperations>& witness,
                                           std::int64_t tile, int threads);

}  // namespace apsp::kernels::host
