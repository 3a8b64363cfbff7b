// Packed operands between the processes of a grid, in step with their devices' queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "dense/blocked_floyd_warshall.hpp"
#include "dense/grid.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/device.hpp"

namespace apsp::dense {

/// Calls between a vote and its answer (`Votes::stopped`): steps that run meanwhile.
inline constexpr std::int64_t kVotesUnderWay = 4;

/// Agreements of all processes of a grid.
class Votes {
 public:
  virtual ~Votes() = default;

  /// Returns whether any process had asked for an end some calls ago. All processes call it equally
  /// often and get the same answer; none waits for an answer that is on its way.
  virtual bool stopped(bool mine) = 0;
  /// Asks for an end between two steps, in order to keep a checkpoint.
  virtual void want_cut() {}
  /// Returns whether any process had wanted a checkpoint by the last answer of `stopped`.
  virtual bool cut_agreed() const { return false; }
  /// Returns the least value of all processes, when all have called it.
  virtual std::int64_t least(std::int64_t mine) = 0;
};

class Transport : public Votes {
 public:
  /// Begins a broadcast: memory of the device of member `root`, as `queue` leaves it, is copied to
  /// the others after the work that their `queue` has. Every member of the line calls it, with the
  /// same bytes and in the same order.
  virtual void broadcast(Payload payload, Along along, int root, kernels::QueueId queue,
                         std::byte* memory, std::int64_t bytes) = 0;
  /// Waits until operations that a queue gets after this call find the data broadcast to it.
  virtual void finish_broadcasts() = 0;
  /// Advances broadcasts. Returns whether `finish_broadcasts` would not wait.
  virtual bool arrived() { return true; }
  /// Makes `queue` wait until nothing is sent from this memory any more, so that its later work may
  /// overwrite it.
  virtual void settle(kernels::QueueId queue, const std::byte* memory) = 0;
  /// Waits for an event of this process's device, and advances messages meanwhile.
  virtual void await(kernels::EventId event) = 0;

  /// Waits until the device may get much work: processes that share one take turns. The turn ends
  /// when `done` of this process's device is reached.
  virtual void take_turn() {}
  virtual void end_turn(kernels::EventId /*done*/) {}

  /// Says that this process has failed: its device stops waiting for others. Nothing else is called
  /// afterwards.
  virtual void fail() noexcept {}
};

/// One process's part of a matrix distributed over a grid. The default is one process.
struct GridPart {
  std::int64_t n = 0;  // vertices of the whole matrix
  BlockCyclic rows{}, columns{};
  Transport* transport = nullptr;
  Schedule schedule = Schedule::overlapped;
  std::function<bool()> cut_due{};  // called once in a step: a checkpoint is due; empty: never

  /// Returns the shape of this process's part of a whole matrix, without memory.
  TiledMatrix held(TiledMatrix whole) const {
    const std::int64_t of_value = whole.columns_per_value,
                       columns_held = columns.vertices(whole.n(), whole.tile);
    whole.matrix = {nullptr, rows.vertices(whole.n(), whole.tile),
                    (columns_held + of_value - 1) / of_value, 0};
    return whole;
  }
};

}  // namespace apsp::dense
