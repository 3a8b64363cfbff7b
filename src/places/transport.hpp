// How the processes of a grid hand packed operands on, in step with their devices' queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/device.hpp"
#include "places/block_cyclic.hpp"
#include "places/blocked_floyd_warshall.hpp"
#include "places/route.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::places {

/// Calls between a vote and its answer (`Transport::stopped`): steps that run on while it travels.
inline constexpr std::int64_t kVotesUnderWay = 4;

class Transport {
 public:
  virtual ~Transport() = default;

  /// Begins a broadcast: memory of the member `root`'s device, as `queue` leaves it, becomes that
  /// of the others, once what their `queue` was given so far is done. Every member of the line
  /// calls it, with the same bytes, all in the same order.
  virtual void broadcast(Payload payload, Along along, int root, kernels::QueueId queue,
                         std::byte* memory, std::int64_t bytes) = 0;
  /// Returns when operations that a queue is given from here on find what was broadcast to it.
  virtual void finish_broadcasts() = 0;
  /// Whether `finish_broadcasts` would return at once. Lets broadcasts go on.
  virtual bool arrived() { return true; }
  /// What `queue` is given from here on may write this memory: nothing is sent from it by then.
  virtual void settle(kernels::QueueId queue, const std::byte* memory) = 0;
  /// Blocks until the event of my device is reached; messages go on meanwhile.
  virtual void await(kernels::EventId event) = 0;

  /// Returns when the device may be given much work: of processes that share one, those that ask
  /// get their turns one after the other. The turn ends when an event of my device is reached.
  virtual void take_turn() {}
  virtual void end_turn(kernels::EventId /*done*/) {}

  /// Whether any process of the grid asked for an end some calls ago. Every process calls it as
  /// often as the others, and all get the same answer at the same call; nobody waits for an answer
  /// that is on its way.
  virtual bool stopped(bool mine) = 0;
  /// This process wants the grid to end between two steps, so that what was done can be kept.
  virtual void want_cut() {}
  /// Whether any process had wanted that, as the last answer of `stopped` says: the same in all.
  virtual bool cut_agreed() const { return false; }
  /// The least of what all processes say, when all have said it.
  virtual std::int64_t least(std::int64_t mine) = 0;
  /// This process has failed: its device stops waiting for those of others. Nothing else is called
  /// afterwards.
  virtual void fail() noexcept {}
};

/// A matrix distributed over a grid, as one process of it sees it. By default there is one process.
struct GridPart {
  std::int64_t n = 0;  // vertices of the whole matrix
  BlockCyclic rows{}, columns{};
  Transport* transport = nullptr;
  Schedule schedule = Schedule::overlapped;
  std::function<bool()> cut_due{};  // asked once a step; empty: never

  /// What is held of a whole matrix, without memory of its own.
  TiledMatrix held(TiledMatrix whole) const {
    const std::int64_t of_value = whole.columns_per_value,
                       columns_held = columns.vertices(whole.n(), whole.tile);
    whole.matrix = {nullptr, rows.vertices(whole.n(), whole.tile),
                    (columns_held + of_value - 1) / of_value, 0};
    return whole;
  }
};

}  // namespace apsp::places
