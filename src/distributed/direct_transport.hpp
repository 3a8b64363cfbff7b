// Broadcasts from device to device, and the transport that uses them: hosts order the broadcasts,
// and panels never pass through host memory.
//
// All broadcasts of a device go through one queue. A broadcast waits for an event of the queue that
// it belongs to, and that queue waits for an event behind the broadcast: the thread that gives the
// orders waits for neither. Votes go by communicator.
//
// A broadcast ends when all members of its line have begun it, so the order in which each device
// begins its broadcasts could lead to a deadlock. It does not, on any grid. Number the broadcasts
// of the page by (step; closed tile along rows, closed tile along columns, panels along columns,
// panels along rows, ...). Two of the same number belong to different lines of one direction, which
// have no process in common; and every process gives those that it takes part in by rising numbers,
// to one queue, which runs them in that order. What the queue waits for besides are events of work
// that was given before, which waits for broadcasts given before it alone. So if all with lower
// numbers end, all members come to those of the next number, and these end. With a queue a line the
// argument fails: a device that has room for one of two that wait may begin the one that its peer
// has not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/communicator.hpp"
#include "distributed/votes.hpp"
#include "kernels/device.hpp"

namespace apsp::distributed {

/// Broadcasts are given to a queue as other operations are. NCCL implements them
/// (mpi/nccl_links.hpp), and for tests devices that read each other's memory
/// (support/strict_broadcasts.hpp). A broadcast that has begun on one device waits there until the
/// other members of its line have begun it too. Meanwhile it holds a part of the device.
class DeviceBroadcasts {
 public:
  virtual ~DeviceBroadcasts() = default;

  /// Returns when `broadcast` may be called. Throws `Error` (device) where devices did not find
  /// each other.
  virtual void await_ready() = 0;
  /// Memory of the member `root`'s device, as `queue` leaves it, becomes that of the others.
  /// `queue`: the same in all calls. Every member of the line calls it, with the same bytes; it may
  /// return when all of them have.
  virtual void broadcast(places::Along along, int root, kernels::QueueId queue, std::byte* memory,
                         std::int64_t bytes) = 0;
  /// Throws `Error` (device) where a broadcast that was given has failed.
  virtual void check() = 0;
  /// Broadcasts that were given end without waiting for other members; what they should have
  /// written is unspecified. `broadcast` is not called again.
  virtual void abandon() noexcept = 0;
};

/// Makes the broadcasts of a grid.
class DeviceLinks {
 public:
  virtual ~DeviceLinks() = default;
  /// Throws `Error` (device) where their library is missing.
  virtual void require() const {}
  /// Called by all processes of a grid, which have a GPU each. A thread of its own connects the
  /// devices: `await_ready` waits for it. `device` and `communicator` outlive the result. Throws
  /// `Error` (device).
  virtual std::unique_ptr<DeviceBroadcasts> connect(kernels::ComputeDevice& device,
                                                    Communicator& communicator) = 0;
};

class DirectTransport final : public VotingTransport {
 public:
  /// All outlive it. `broadcasts` are ready, and those of this device.
  DirectTransport(kernels::ComputeDevice& device, Communicator& communicator,
                  DeviceBroadcasts& broadcasts);

  void broadcast(places::Payload, places::Along along, int root, kernels::QueueId queue,
                 std::byte* memory, std::int64_t bytes) override;
  void finish_broadcasts() override;
  void settle(kernels::QueueId queue, const std::byte* memory) override;
  void await(kernels::EventId event) override;
  void fail() noexcept override { broadcasts_.abandon(); }

 private:
  /// Throws where a broadcast has failed; lets votes go on.
  void work_until(const std::function<bool()>& ready) override;

  struct Sent {
    const std::byte* memory;
    kernels::EventId gone;
  };
  struct Coming {
    kernels::QueueId queue;  // that it belongs to
    kernels::EventId here;
  };

  kernels::ComputeDevice& device_;
  DeviceBroadcasts& broadcasts_;
  kernels::QueueId travelling_;
  std::vector<Sent> sent_;
  std::vector<Coming> coming_;
};

}  // namespace apsp::distributed
