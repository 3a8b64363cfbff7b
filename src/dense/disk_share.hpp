// One device's share of a solve on the disk: parts of the matrix on their way from the disk to the
// device, and back. The device may be the host's threads (kernels/host/host_device.hpp).
//
// A part is read, copied in, updated, copied out and written, while other parts are in other
// stages. The calling thread gives all orders to the device and waits only for the oldest part.
// Threads of the disk check the checksums of parts they read, and write those of parts they write.
// If the host sees the device's memory, parts are read into it, and nothing is copied.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "dense/device_buffer.hpp"
#include "dense/disk_plan.hpp"
#include "dense/resident_matrix.hpp"
#include "kernels/device.hpp"
#include "kernels/host/host_device.hpp"
#include "store/disk_matrix.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::dense {

/// Reads and writes of a disk, one after another, while other threads work. Orders run in the order
/// of posting, so a buffer may be filled again as soon as its writing was posted. Threads share the
/// pieces of an order: checksums take about as long as a fast disk.
class DiskQueue {
 public:
  using EventId = kernels::EventId;

  /// `threads`: without the one that posts and waits.
  explicit DiskQueue(int threads)
      : queues_(1 + threads), queue_(queues_.make_queue(kernels::Priority::low)) {}

  /// Runs order(piece) for all pieces, on any threads. Returns an event that is reached at their
  /// end.
  EventId post(std::int64_t pieces, std::function<void(std::int64_t)> order);
  /// Returns when the event is reached; −1: at once. Throws what an order threw; none is begun
  /// after that.
  void wait(EventId posted);
  /// Seconds in which `wait` has waited.
  double waited() const { return waited_; }

 private:
  kernels::host::HostQueues queues_;
  kernels::QueueId queue_;
  double waited_ = 0;
};

/// Rows of some bands, which ascend.
struct DiskPart {
  kernels::Range rows;
  std::vector<std::int64_t> bands;
};

/// Arguments of `DiskMemory`, for one device. `threads`: the most threads of the host for
/// checksums.
struct DiskArguments {
  store::DiskMatrix& matrix;
  const DiskPlan& plan;
  kernels::ComputeDevice& device;
  int threads;
  const Control& control;
};

class DiskShare {
 public:
  virtual ~DiskShare() = default;
  DiskShare(const DiskShare&) = delete;
  DiskShare& operator=(const DiskShare&) = delete;

  /// Solves from the checkpoint to the end. Throws `Error`: interrupted, input, input_output,
  /// device.
  void run();
  /// Returns the seconds of the last run in which the device waited for the disk.
  double waited() const { return waited_; }
  /// Ends the work that a failed run has left in the queues.
  virtual void drain_queues() noexcept;

 protected:
  using EventId = kernels::EventId;
  using Range = kernels::Range;
  using View = kernels::View;
  using Generation = store::DiskMatrix::Generation;

  /// `values`: the most values of a part.
  DiskShare(const DiskArguments& arguments, std::int64_t values);

  /// The stages of a part before and after the work on it.
  struct Flow {
    bool in = false;     // it is read and copied in
    bool out = false;    // it is copied out and written
    EventId ready = -1;  // when it may leave; −1: when all queued work is done
    Generation from = Generation::current;
  };
  /// Parts that pass one after another.
  struct Passing {
    Flow flow;
    std::int64_t count = 0;
    std::function<DiskPart(std::int64_t)> part_of;
    /// Returns the memory of part number `item` on the device.
    std::function<View(const DiskPart&, std::int64_t item)> view_of;
    /// Queues the work on a part; empty: there is none.
    std::function<void(const DiskPart&, View)> work{};
    /// Called for parts that have left; may be empty.
    std::function<void(const DiskPart&)> left{};
  };
  /// Passes parts, and returns when they have left, or early if stopped. Throws `Error`: input,
  /// input_output, device.
  void pass(const Passing& passing);
  /// Runs `order` on the disk's thread after all that was posted before.
  EventId post(std::function<void()> order);
  void wait_for_disk(EventId posted) { disk_->wait(posted); }
  /// Ends a run, also one that failed: posted orders that have not begun are dropped. Derived
  /// classes call it before they free what parts are read into.
  void end() noexcept;

  bool cancelled() const { return base::cancelled(control_); }
  std::int64_t columns(const DiskPart& part) const;
  void advance(std::int64_t rows, std::int64_t columns, std::int64_t depth);
  /// Queues the closure of a diagonal tile, whose values are there when `ready` is reached.
  EventId close_tile(View tile, std::int64_t first_vertex, EventId ready);

  store::DiskMatrix& matrix_;
  DiskPlan plan_;
  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  const bool in_place_;  // parts are read into the device's memory
  const Control& control_;
  std::int64_t n_, first_pivot_;
  int size_;  // bytes of a value
  kernels::QueueId in_, work_, out_;

 private:
  struct Buffer {
    EventId read = -1, written = -1;  // on the disk
    EventId done = -1;                // on the device; −1: at once
  };

  /// Returns whether the end was reached; else all shares were asked to end.
  virtual bool solve() = 0;

  Buffer& buffer(std::int64_t item) {
    return buffers_[static_cast<std::size_t>(item % plan_.buffers)];
  }
  bool has_left(std::int64_t item) {
    return buffer(item).done < 0 || device_.reached(buffer(item).done);
  }
  /// The host's memory that a part is read into and written from.
  View on_host(const Passing& passing, const DiskPart& part, std::int64_t item);
  EventId post_move(const Passing& passing, std::int64_t item, bool in);
  /// Queues part number `item`, from its copy in to its copy out.
  void order(const Passing& passing, std::int64_t item);

  int threads_;
  std::int64_t values_;
  system::AlignedMemory host_;  // [buffers][values]; empty if parts are read in place
  PinnedMemory pinned_;
  std::vector<Buffer> buffers_;
  ResidentMatrix closing_;           // the diagonal tile, by tiles of its own
  std::unique_ptr<DiskQueue> disk_;  // during a run
  double waited_ = 0;
  std::unique_ptr<base::ProgressTask> progress_;
};

}  // namespace apsp::dense
