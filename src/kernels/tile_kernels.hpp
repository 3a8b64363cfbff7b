// The queues of a device, on which copies and kernels run in order and asynchronously, and its
// operations on tiles: those of the contract, with operands packed beforehand.
//
// Panels are packed once in a step and serve all its tiles. Packing fills ragged edges with "no
// path", so kernels read whole granules. A packed operand is a copy, so an update in place needs no
// care: R ← R ⊕ D ⊗ R is `multiply_add` of R with D and R packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

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

/// Rows or columns [begin, end).
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
inline std::int64_t length(Range range) { return range.end - range.begin; }

/// C ← C ⊕ L ⊗ R, except where `skipped_rows`, `skipped_cols` and `triangle` say otherwise.
struct Update {
  View c;                            // [m, n], in device memory
  View via{};                        // [m, n] int32; no data: not tracked
  const std::byte* left = nullptr;   // packed [m, depth]
  const std::byte* right = nullptr;  // packed [depth, n]
  std::int64_t depth = 0;
  std::int64_t first_pivot = 0;  // vertex number of L's first column
  Range skipped_rows{};          // rows of C that stay as they are; multiples of the granule
  Range skipped_cols{};
  /// If positive, only values with row / triangle ≥ column / triangle are updated. Requires then: a
  /// multiple of the granule; C begins on the diagonal.
  std::int64_t triangle = 0;
};

/// Sizes that a plan needs. They depend only on the kernels of a device and are known without
/// taking the device into use.
class DeviceSizes {
 public:
  virtual ~DeviceSizes() = default;
  /// Tile sides, except the last one of a matrix, are multiples of this many vertices. Where a
  /// value holds the bits of 32 columns, shapes count rows and values; depths and pivots count
  /// vertices.
  virtual std::int64_t granule() const = 0;
  /// Products of fewer rows take as long as products of this many.
  virtual std::int64_t product_rows() const { return granule(); }
  /// A good distance between the rows of a matrix of `cols` columns, in values: ≥ cols.
  virtual std::int64_t stride(std::int64_t cols) const = 0;
  /// Bytes of a packed operand; multiples of 256 for whole granules. A panel is the packed operands
  /// of its granules one after another: row r of a left one, r a multiple of the granule, begins at
  /// left_bytes(r, depth). So a panel may be packed piece by piece, and a piece may be replaced
  /// while others are read.
  virtual std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const = 0;
  virtual std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const = 0;
  /// Scratch memory that `TileKernels::close` needs for a tile of this side, bytes.
  virtual std::int64_t close_bytes(std::int64_t side) const = 0;
  /// Matrices of up to this side are solved faster by `TileKernels::close_whole` than in tiles,
  /// unless via is tracked; 0: none are.
  virtual std::int64_t whole_side() const { return 0; }
  /// Scratch memory that `TileKernels::close_whole` needs for a matrix of this side, bytes.
  virtual std::int64_t whole_bytes(std::int64_t side) const { return close_bytes(side); }
};

class TileKernels : public DeviceSizes {
 public:
  /// out ← A (or Aᵗ), packed; any number of rows. `out` is 256-byte aligned.
  virtual void pack_left(QueueId queue, ConstView a, bool transposed, std::byte* out) = 0;
  virtual void pack_right(QueueId queue, ConstView b, bool transposed, std::byte* out) = 0;
  virtual void multiply_add(QueueId queue, const Update& update) = 0;
  /// Describes how `multiply_add` shares the update out; empty where there is only one way.
  virtual std::string configuration(const Update& /*update*/) const { return {}; }

  /// D ← D*. The result of the contract's `close` is kept on the device: `take_pivot` reads the
  /// first vertex whose diagonal became better than the empty path since the last call, as
  /// first_pivot + index in the tile; −1: none. Operations after it leave unspecified values,
  /// without harm. Requires for `take_pivot`: all queues are synchronized.
  virtual void close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                     std::byte* scratch) = 0;
  virtual std::int64_t take_pivot() = 0;
  /// Returns whether `take_pivot` will find a vertex, as far as is known without waiting.
  virtual bool pivot_met() const { return false; }
  /// Computes the same as `close` with the whole device. Requires: nothing else is queued.
  virtual void close_whole(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                           std::byte* scratch) {
    close(queue, d, via, cycles, first_pivot, scratch);
  }

  /// matrix(i, j) ← matrix(j, i) where i / tile < j / tile: the triangle that `Update::triangle`
  /// leaves out.
  virtual void mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) = 0;
  /// to [n, m] ← from [m, n]ᵗ, which do not overlap; values of 2, 4 or 8 bytes.
  virtual void transpose(QueueId queue, View to, ConstView from, int value_size) = 0;
};

}  // namespace apsp::kernels
