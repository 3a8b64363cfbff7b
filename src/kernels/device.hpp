// A device: memory of its own, and queues on which copies and tile operations run in order and
// asynchronously. Every back end that is not the host's own memory looks like this.
//
// Work on one queue runs in the order it was given; between queues only events order it. A pointer
// from `allocate` means nothing to the host. Host memory given to a copy must stay as it is until
// the queue was synchronised. Errors of queued work appear at the latest in `synchronize`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/contract.hpp"

namespace apsp::kernels {

using QueueId = int;
using EventId = std::int64_t;

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string_view name() const = 0;

  /// Throws `Error` (does_not_fit) when the device's memory is spent.
  virtual std::byte* allocate(std::int64_t bytes) = 0;
  virtual void release(std::byte* memory) = 0;
  virtual std::int64_t memory_free() const = 0;  ///< bytes

  virtual QueueId make_queue() = 0;
  /// An event that is reached when everything given to the queue so far is done.
  virtual EventId record(QueueId queue) = 0;
  virtual void wait(QueueId queue, EventId event) = 0;
  /// Blocks until the queue is empty. Throws `Error` (device) if its work failed.
  virtual void synchronize(QueueId queue) = 0;

  /// Host tile → device tile of the same shape, and back.
  virtual void copy_in(QueueId queue, Tile device, ConstTile host, int value_size) = 0;
  virtual void copy_out(QueueId queue, Tile host, ConstTile device, int value_size) = 0;

  /// The four operations of the contract; tiles lie in device memory. What `close` returns is kept:
  /// `first_pivot` reads the first "better than the empty path" since the last call, −1 for none
  /// (of the tile it was found in, `tag` tells which). Requires: the queue is synchronised.
  virtual void multiply_add(QueueId queue, Tile c, ConstTile a, ConstTile b) = 0;
  virtual void close(QueueId queue, Tile d, Cycles cycles, std::int64_t tag) = 0;
  virtual void multiply_left(QueueId queue, ConstTile d, Tile r) = 0;
  virtual void multiply_right(QueueId queue, Tile c, ConstTile d) = 0;

  struct Pivot {
    std::int64_t tag = -1;
    std::int64_t index = -1;
  };
  virtual Pivot first_pivot() = 0;
};

}  // namespace apsp::kernels
