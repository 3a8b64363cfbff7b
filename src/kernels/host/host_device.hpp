// The host's threads and memory as a device, for a process of a grid that has no GPU.
//
// Queued work is cut into pieces of about a tile. Threads of the device take pieces from the queue
// of the highest priority that has one. The thread that gives the orders does so too, whenever it
// waits or calls `work`; between two pieces it can advance messages. The tile operations are those
// of the contract. A packed panel is the packed operands of its tiles one after another. If it is
// deeper than a tile, each tile's operand is cut into operands as deep as a tile.
#pragma once

#include <apsp/progress.hpp>
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

/// Queues of work in pieces, and events between them.
class HostQueues {
 public:
  /// `threads`: the number that run pieces, with the calling one.
  explicit HostQueues(int threads);
  ~HostQueues();

  QueueId make_queue(Priority priority);
  /// Queues run(piece) for every piece below `pieces`, on any threads.
  void give(QueueId queue, std::int64_t pieces, std::function<void(std::int64_t)> run);
  EventId record(QueueId queue);
  void wait(QueueId queue, EventId event);

  /// Throws the exception of a piece.
  bool reached(EventId event);
  void await(EventId event);
  /// Runs one piece; false: none is ready.
  bool work();

 private:
  struct Job {
    EventId awaited = -1;  // ≥ 0: waits for this event, without pieces
    std::int64_t pieces = 0, claimed = 0, done = 0;
    std::function<void(std::int64_t)> run{};
  };
  struct HostQueue {
    Priority priority = Priority::low;
    std::deque<Job> jobs{};  // not yet done
    std::int64_t given = 0, done = 0;
  };
  struct HostEvent {
    QueueId queue = 0;
    std::int64_t count = 0;  // reached when this many jobs of the queue are done
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

/// Returns a device that has only kernels for tiles. `tile`: the granule. `threads`: the number
/// that compute, with the calling one. Products and closures end early, with unspecified values,
/// once `cancellation` is requested; it outlives the device. Null: it never is.
std::unique_ptr<ComputeDevice> make_device(const TileOperations& operations,
                                           const std::optional<WitnessOperations>& witness,
                                           std::int64_t tile, int threads,
                                           const Cancellation* cancellation = nullptr);

}  // namespace apsp::kernels::host
