// A device: memory of its own, and queues on which copies and tile operations run in order and
// asynchronously. Every back end that is not the host's own memory looks like this.
//
// Work on one queue runs in the order it was given; between queues only events order it. A pointer
// from `allocate` means nothing to the host. Host memory given to a copy must stay as it is until
// the queue was synchronised. Errors of queued work appear at the latest in `synchronize`.
//
// The operations are those of the contract, with operands packed beforehand: panels are packed once
// a step and serve every tile of it, packing cuts what the kernels read into whole granules (the
// ragged edge is filled with "no path"), and a packed operand is a copy, so an update in place
// needs no care: R ← R ⊕ D ⊗ R is `multiply_add` of R with D and R packed.
//
// A look at a matrix that lies on a device: there what `graph::prepare_matrix` is on the host.
#pragma once

#include <apsp/error.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/contract.hpp"
#include "kernels/listed_rows.hpp"
#include "kernels/near_searches.hpp"
#include "kernels/path_shares.hpp"
#include "kernels/predecessors.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels {

/// Properties of the values of a matrix; only finite values of sums count.
enum SurveyFlag : std::uint32_t {
  kHasNegative = 1,
  kHasPositive = 2,
  kHasFraction = 4,   ///< a value is not an integer of magnitude ≤ 2^53
  kHasAsymmetry = 8,  ///< a value differs from its mirror image
};

struct SurveyFound {
  std::uint64_t flags = 0;
  std::uint64_t bad = 0;  ///< 1 + row · n + column of the last NaN or value beyond no path; 0: none
};

/// Looks at every value, and improves the diagonal to the empty path afterwards.
struct Survey {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  View matrix;                   ///< [n, n]
  double* largest = nullptr;     ///< [n]: the largest magnitude of a finite value of each row
  SurveyFound* found = nullptr;  ///< zeros on entry
};

/// What an operand of a product holds; zeros before the first look.
struct OperandFound {
  std::uint64_t negative = 0;  ///< 1: a finite value has a minus sign, −0 too
  std::uint64_t bad = 0;  ///< 1 + row · cols + column of a NaN or value beyond no path; 0: none
  double largest = 0;     ///< magnitude of a finite value; only of sums
};

/// Looks at every value of a matrix and changes none.
struct OperandSurvey {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  ConstView matrix;               ///< [rows, cols]
  OperandFound* found = nullptr;  ///< on the device
};

using QueueId = int;
using EventId = std::int64_t;

/// Work of a queue with the higher priority goes first where both are ready.
enum class Priority { low, high };

/// Rows or columns [begin, end).
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
inline std::int64_t length(Range range) { return range.end - range.begin; }

/// C ← C ⊕ L ⊗ R, but for what `skipped_rows`, `skipped_cols` and `triangle` leave out.
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

/// Sizes that a plan asks for. They depend only on the kernels of a device and are known without
/// taking the device into use, so planning opens none.
class DeviceSizes {
 public:
  virtual ~DeviceSizes() = default;
  /// Tile sides, but for the last of a matrix, are multiples of this many vertices. (Of values that
  /// hold the bits of 32 columns shapes count rows and values; depths and pivots count vertices.)
  virtual std::int64_t granule() const = 0;
  /// Products of fewer rows take as long as of so many.
  virtual std::int64_t product_rows() const { return granule(); }
  /// A good distance between the rows of a matrix of `cols` columns, in values: ≥ cols.
  virtual std::int64_t stride(std::int64_t cols) const = 0;
  /// Bytes of a packed operand; multiples of 256 for whole granules. A panel is its granules'
  /// packed operands one after another: row r of a left one, r a multiple of the granule, begins at
  /// left_bytes(r, depth). So operands may be packed piece by piece, and a piece of one may be
  /// replaced while others are read.
  virtual std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const = 0;
  virtual std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const = 0;
  /// Scratch memory that `ComputeDevice::close` needs for a tile of this side.
  virtual std::int64_t close_bytes(std::int64_t side) const = 0;
  /// Matrices of up to this side are solved faster by `ComputeDevice::close_whole` than in tiles,
  /// unless via is tracked; 0: none are.
  virtual std::int64_t whole_side() const { return 0; }
  /// Scratch memory that `ComputeDevice::close_whole` needs for a matrix of this side.
  virtual std::int64_t whole_bytes(std::int64_t side) const { return close_bytes(side); }
};

class ComputeDevice : public DeviceSizes {
 public:
  virtual std::string_view name() const = 0;

  /// Throws `Error` (does_not_fit) when the device's memory is spent.
  virtual std::byte* allocate(std::int64_t bytes) = 0;
  virtual void release(std::byte* memory) = 0;
  virtual std::int64_t memory_free() const = 0;  ///< bytes

  /// Takes memory on this device that is a caller's, `bytes` from its first value on, with the
  /// caller's queue there (`native`: a cudaStream_t), on which only events are to be recorded and
  /// waited for. From now on nothing that this device does waits for work of others. Throws
  /// `Error`: usage (the memory is not on this device), device (it takes none).
  virtual QueueId borrow(std::byte* /*memory*/, std::int64_t /*bytes*/, std::uintptr_t /*native*/) {
    throw Error(ErrorKind::device, "this device takes no memory of others");
  }

  /// A hint that copies will use this host memory for long: they then run at full speed and beside
  /// kernels. Requires for `unpin`: no copy is under way.
  virtual void pin(void* host, std::int64_t bytes) = 0;
  virtual void unpin(void* host) = 0;

  virtual QueueId make_queue(Priority priority = Priority::low) = 0;
  /// An event that is reached when everything given to the queue so far is done.
  virtual EventId record(QueueId queue) = 0;
  virtual void wait(QueueId queue, EventId event) = 0;
  /// Blocks the host until the event is reached. Throws `Error` (device) if work failed.
  virtual void await(EventId event) = 0;
  /// Whether the event is reached. A device that cannot tell blocks until it is. Throws as `await`.
  virtual bool reached(EventId event) {
    await(event);
    return true;
  }
  /// Runs a piece of what is queued on the calling thread, where the device computes on threads
  /// that wait for it; false: it does not, or there is no piece to run now.
  virtual bool work() { return false; }
  /// Whether its memory is the host's, to be read and written there in step with its queues.
  virtual bool host_sees_memory() const { return false; }
  /// Blocks until the queue is empty. Throws `Error` (device) if its work failed.
  virtual void synchronize(QueueId queue) = 0;

  /// Devices of one process may be peers: a queue of one reads another's memory and waits for its
  /// events. Each device may take its orders from a thread of its own. `meet` comes first, before
  /// any queue is made. Throws `Error` (device) where the two have no way to each other.
  virtual void meet(ComputeDevice& /*peer*/) {
    throw Error(ErrorKind::device, "this device has no peers");
  }
  /// As `wait`, for an event of the peer.
  virtual void wait_for_peer(QueueId /*queue*/, ComputeDevice& peer, EventId /*event*/) {
    meet(peer);
  }
  /// Bytes of the peer's memory → memory of this device.
  virtual void copy_from_peer(QueueId /*queue*/, std::byte* /*memory*/, ComputeDevice& peer,
                              const std::byte* /*from*/, std::int64_t /*bytes*/) {
    meet(peer);
  }

  /// Host tile → device tile of the same shape, and back.
  virtual void copy_in(QueueId queue, View device, ConstView host, int value_size) = 0;
  virtual void copy_out(QueueId queue, View host, ConstView device, int value_size) = 0;
  /// matrix(i, j) ← matrix(j, i) where i / tile < j / tile: the triangle that `Update::triangle`
  /// leaves out.
  virtual void mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) = 0;
  /// to [n, m] ← from [m, n]ᵗ, which do not overlap; values of 2, 4 or 8 bytes.
  virtual void transpose(QueueId queue, View to, ConstView from, int value_size) = 0;

  /// out ← A (or Aᵗ), packed; any number of rows. `out` is 256-byte aligned.
  virtual void pack_left(QueueId queue, ConstView a, bool transposed, std::byte* out) = 0;
  virtual void pack_right(QueueId queue, ConstView b, bool transposed, std::byte* out) = 0;
  virtual void multiply_add(QueueId queue, const Update& update) = 0;
  /// Says in words how `multiply_add` shares the update out; empty where there is one way only.
  virtual std::string configuration(const Update& /*update*/) const { return {}; }

  /// D ← D*. What the contract's `close` returns is kept: `take_pivot` reads the first "better
  /// than the empty path" since the last call, as a vertex number (first_pivot + index in the
  /// tile), −1 for none; operations after it leave unspecified values, without harm. Requires for
  /// `take_pivot`: all queues are synchronised.
  virtual void close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                     std::byte* scratch) = 0;
  virtual std::int64_t take_pivot() = 0;
  /// Whether `take_pivot` will have one to tell, as far as is known without waiting.
  virtual bool pivot_met() const { return false; }

  /// As `close`, but with the whole device at work, so nothing else may be queued.
  virtual void close_whole(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                           std::byte* scratch) {
    close(queue, d, via, cycles, first_pivot, scratch);
  }

  /// Looks at the values of a matrix. Requires: values are not bits.
  virtual void survey(QueueId /*queue*/, const Survey& /*survey*/) {
    throw Error(ErrorKind::device, "this device looks at no matrix");
  }

  /// How listed rows are kept from now on, where they are found, counted and transposed. Throws
  /// `Error` (device) where this device cannot.
  virtual void keep_listed(ListedForm form) {
    if (form != listed_form()) throw Error(ErrorKind::device, "this device keeps no whole rows");
  }
  virtual ListedForm listed_form() const { return ListedForm::values; }
  /// Adds to `found` what an operand holds. Requires: values are not bits.
  virtual void survey_operand(QueueId /*queue*/, const OperandSurvey& /*survey*/) {
    throw Error(ErrorKind::device, "this device looks at no operand");
  }

  /// Rows that lists name (listed_rows.hpp). Devices whose values are bits have none of these. GPUs
  /// take distances of i32 that may be negative only below 2^28.
  virtual void multiply_listed(QueueId queue, const ListedProduct& product) = 0;
  /// rows(i, j) ← the empty path where j = columns[i], else no path. `columns`: [rows.rows] in
  /// device memory; −1: none.
  virtual void begin_rows(QueueId queue, View rows, const std::int32_t* columns) = 0;
  virtual void count_rows(QueueId queue, const RowCount& count) = 0;
  /// Any distances from 0 on (distance_count.hpp), of min-plus in i32, f32, f64 and whole
  /// rows.
  virtual void count_distances(QueueId /*queue*/, const DistanceCount& /*count*/) {
    throw Error(ErrorKind::device, "this device counts no distances");
  }
  virtual void transpose_rows(QueueId queue, const TransposedRows& transposed) = 0;
  /// Rows by searches (searches.hpp). Devices whose values are bits have none of these.
  virtual void search_rows(QueueId queue, const SearchedRows& rows) = 0;
  /// Hops from many sources at once (searches.hpp). Only devices of min-plus have these.
  virtual void search_levels(QueueId /*queue*/, const SearchedLevels& /*levels*/) {
    throw Error(ErrorKind::device, "this device counts no hops");
  }
  /// Predecessors from rows of distances (predecessors.hpp). Devices whose values are bits have
  /// none.
  virtual void search_predecessors(QueueId /*queue*/, const SearchedPredecessors& /*rows*/) {
    throw Error(ErrorKind::device, "this device looks for no predecessors");
  }
  /// Rows of what is near (near_searches.hpp), whatever values the device has.
  virtual void search_near(QueueId /*queue*/, const NearSearches& /*searches*/) {
    throw Error(ErrorKind::device, "this device has no searches that end at a distance");
  }
  /// Shares of shortest paths (path_shares.hpp). Only devices of min-plus have these two.
  virtual void gather_distances(QueueId /*queue*/, const GatheredDistances& /*gathered*/) {
    throw Error(ErrorKind::device, "this device gathers no distances");
  }
  virtual void share_paths(QueueId /*queue*/, const PathShares& /*shares*/) {
    throw Error(ErrorKind::device, "this device counts no paths");
  }
};

}  // namespace apsp::kernels
