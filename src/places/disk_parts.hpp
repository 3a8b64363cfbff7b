// Parts of a matrix on the disk on their way: disk → pinned memory → device, and back.
//
// A part is read, copied in, worked on, copied out and written, each stage under those of other
// parts. The thread that lets parts pass gives all orders to the device, and waits only for the
// oldest part. Threads of the disk compare the checksums of what is read, and write those of what
// is written.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/aligned_memory.hpp"
#include "kernels/device.hpp"
#include "places/device_buffer.hpp"
#include "places/disk_queue.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::places {

/// Rows of some bands, which ascend.
struct DiskPart {
  kernels::Range rows;
  std::vector<std::int64_t> bands;
};

class DiskParts {
 public:
  using EventId = kernels::EventId;
  using Range = kernels::Range;

  /// What happens to a part around the work on it.
  struct Flow {
    bool in = false;     // it is read and copied in
    bool out = false;    // it is copied out and written
    EventId ready = -1;  // when it may leave; −1: when all that was ordered is done
  };
  /// Parts that pass one after another.
  struct Passing {
    Flow flow;
    std::int64_t count = 0;
    std::function<DiskPart(std::int64_t)> part_of;
    /// Where part number `item` is on the device.
    std::function<kernels::View(const DiskPart&, std::int64_t item)> view_of;
    /// Gives the orders for a part; empty: there are none.
    std::function<void(const DiskPart&, kernels::View)> work{};
    /// Is told of parts that have left; may be empty.
    std::function<void(const DiskPart&)> left{};
  };
  struct Queues {
    kernels::QueueId in, work, out;
  };
  struct Sizes {
    std::int64_t buffers;  // parts on their way at the same time
    std::int64_t values;   // of a part, at most
  };

  /// `threads`: of the host, at most, for checksums. `stopped`: whether no more parts are to pass.
  /// Throws `Error` (does_not_fit).
  DiskParts(store::DiskMatrix& matrix, kernels::ComputeDevice& device, Queues queues, Sizes sizes,
            int threads, std::function<bool()> stopped);

  /// Before the first part of a run.
  void begin();
  /// Returns when the parts have left, or early where it was stopped. Throws `Error`: input,
  /// input_output, device.
  void pass(const Passing& passing);
  /// Behind all that was posted before.
  EventId post(std::function<void()> order) { return disk_->post(std::move(order)); }
  void wait(EventId posted) { disk_->wait(posted); }
  /// Ends a run: nothing is posted any more. Drops what was posted and not begun where a run
  /// failed.
  void end();

  /// Seconds of the last run in which nothing was ordered, as the disk was waited for.
  double waited() const { return waited_; }

 private:
  struct Buffer {
    EventId read = -1, written = -1;  // of the disk
    EventId done = -1;                // of the device
  };

  std::byte* host(std::int64_t item) {
    return host_.data() + item % sizes_.buffers * sizes_.values * size_;
  }
  Buffer& buffer(std::int64_t item) {
    return buffers_[static_cast<std::size_t>(item % sizes_.buffers)];
  }
  /// Moves a part between its buffer on the host and the disk, or the device.
  EventId post_move(const DiskPart& part, std::int64_t item, bool in);
  void copy(const DiskPart& part, std::int64_t item, kernels::View device, bool in);
  /// Queues what part number `item` needs, from its copy in to its copy out.
  void order(const Passing& passing, std::int64_t item);

  store::DiskMatrix& matrix_;
  kernels::ComputeDevice& device_;
  Queues queues_;
  Sizes sizes_;
  int size_;  // of a value
  int threads_;
  std::function<bool()> stopped_;
  base::AlignedMemory host_;  // [buffers], each bands one behind the other
  PinnedMemory pinned_;
  std::vector<Buffer> buffers_;
  std::unique_ptr<DiskQueue> disk_;  // of a run
  double waited_ = 0;
};

}  // namespace apsp::places
