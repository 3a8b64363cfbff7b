// Parts of a matrix on the disk on their way: disk → pinned memory → device, and back.
//
// A part is read, copied in, updated, copied out and written, while other parts are in other
// stages. The calling thread gives all orders to the device and waits only for the oldest part.
// Threads of the disk check the checksums of parts they read, and write those of parts they write.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dense/device_buffer.hpp"
#include "dense/disk_queue.hpp"
#include "kernels/device.hpp"
#include "store/disk_matrix.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

/// Rows of some bands, which ascend.
struct DiskPart {
  kernels::Range rows;
  std::vector<std::int64_t> bands;
};

class DiskParts {
 public:
  using EventId = kernels::EventId;
  using Range = kernels::Range;

  /// The stages of a part before and after the work on it.
  struct Flow {
    bool in = false;     // it is read and copied in
    bool out = false;    // it is copied out and written
    EventId ready = -1;  // when it may leave; −1: when all queued work is done
  };
  /// Parts that pass one after another.
  struct Passing {
    Flow flow;
    std::int64_t count = 0;
    std::function<DiskPart(std::int64_t)> part_of;
    /// Returns the memory of part number `item` on the device.
    std::function<kernels::View(const DiskPart&, std::int64_t item)> view_of;
    /// Queues the work on a part; empty: there is none.
    std::function<void(const DiskPart&, kernels::View)> work{};
    /// Called for parts that have left; may be empty.
    std::function<void(const DiskPart&)> left{};
  };
  struct Queues {
    kernels::QueueId in, work, out;
  };
  struct Sizes {
    std::int64_t buffers;  // parts on their way at the same time
    std::int64_t values;   // the most values of a part
  };

  /// `threads`: the most threads of the host for checksums. `stopped()`: no more parts pass. Throws
  /// `Error` (does_not_fit).
  DiskParts(store::DiskMatrix& matrix, kernels::ComputeDevice& device, Queues queues, Sizes sizes,
            int threads, std::function<bool()> stopped);

  /// Begins a run.
  void begin();
  /// Passes parts, and returns when they have left, or early if stopped. Throws `Error`: input,
  /// input_output, device.
  void pass(const Passing& passing);
  /// Runs `order` on the disk's thread after all that was posted before.
  EventId post(std::function<void()> order) { return disk_->post(std::move(order)); }
  void wait(EventId posted) { disk_->wait(posted); }
  /// Ends a run. Drops posted orders that have not begun if the run failed.
  void end();

  /// Returns the seconds of the last run in which the device waited for the disk.
  double waited() const { return waited_; }

 private:
  struct Buffer {
    EventId read = -1, written = -1;  // on the disk
    EventId done = -1;                // on the device
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
  /// Queues part number `item`, from its copy in to its copy out.
  void order(const Passing& passing, std::int64_t item);

  store::DiskMatrix& matrix_;
  kernels::ComputeDevice& device_;
  Queues queues_;
  Sizes sizes_;
  int size_;  // bytes of a value
  int threads_;
  std::function<bool()> stopped_;
  system::AlignedMemory host_;  // [buffers] of consecutive bands
  PinnedMemory pinned_;
  std::vector<Buffer> buffers_;
  std::unique_ptr<DiskQueue> disk_;  // during a run
  double waited_ = 0;
};

}  // namespace apsp::dense
