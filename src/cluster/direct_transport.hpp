// A transport by broadcasts from device to device: panels never pass through host memory.
//
// All broadcasts of a device use one queue. A broadcast waits for an event of the queue that it
// belongs to, and that queue waits for an event after the broadcast; the host waits for neither.
// Votes use the communicator.
//
// A broadcast ends when all members of its line have begun it. No deadlock is possible. Number the
// broadcasts of the driver by (step; closed tile along rows, closed tile along columns, panels
// along columns, panels along rows, ...). Two broadcasts of the same number belong to different
// lines of one direction, which have no process in common. Every process orders its broadcasts by
// rising numbers in one queue. That queue also waits for events of earlier work, which waits only
// for earlier broadcasts. So once all lower numbers end, all members reach the next number, and it
// ends. With a queue for each line the argument fails: a device with room for one of two waiting
// broadcasts may begin the one that its peer has not begun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "cluster/votes.hpp"
#include "kernels/device.hpp"

namespace apsp::cluster {

/// Queued broadcasts of devices. NCCL implements them (mpi/nccl_links.hpp), and for tests devices
/// that read each other's memory (support/strict_broadcasts.hpp). A broadcast occupies a part of a
/// device until the other members of its line have begun it too.
class DeviceBroadcasts {
 public:
  virtual ~DeviceBroadcasts() = default;

  /// Waits until `broadcast` may be called. Throws `Error` (device) if devices did not find each
  /// other.
  virtual void await_ready() = 0;
  /// Queues a copy of memory of the device of member `root`, as `queue` leaves it, to the others.
  /// Every member of the line calls it, with the same bytes and always the same `queue`. It may
  /// wait until all of them have.
  virtual void broadcast(dense::Along along, int root, kernels::QueueId queue, std::byte* memory,
                         std::int64_t bytes) = 0;
  /// Throws `Error` (device) if a queued broadcast has failed.
  virtual void check() = 0;
  /// Ends queued broadcasts without waiting for other members; their targets are unspecified.
  /// `broadcast` is not called again.
  virtual void abandon() noexcept = 0;
};

/// Makes the broadcasts of a grid.
class DeviceLinks {
 public:
  virtual ~DeviceLinks() = default;
  /// Throws `Error` (device) if their library is missing.
  virtual void require() const {}
  /// Begins to connect the devices on a thread of its own; `await_ready` waits for it. All
  /// processes of a grid call it, each with a GPU. `device` and `communicator` outlive the result.
  /// Throws `Error` (device).
  virtual std::unique_ptr<DeviceBroadcasts> connect(kernels::ComputeDevice& device,
                                                    Communicator& communicator) = 0;
};

class DirectTransport final : public VotingTransport {
 public:
  /// `broadcasts` are ready, and those of this device. All arguments outlive it.
  DirectTransport(kernels::ComputeDevice& device, Communicator& communicator,
                  DeviceBroadcasts& broadcasts);

  void broadcast(dense::Payload, dense::Along along, int root, kernels::QueueId queue,
                 std::byte* memory, std::int64_t bytes) override;
  void finish_broadcasts() override;
  void settle(kernels::QueueId queue, const std::byte* memory) override;
  void await(kernels::EventId event) override;
  void fail() noexcept override { broadcasts_.abandon(); }

 private:
  /// Advances votes until `ready()`. Throws if a broadcast has failed.
  void work_until(const std::function<bool()>& ready) override;

  struct Sent {
    const std::byte* memory;
    kernels::EventId gone;
  };
  struct Coming {
    kernels::QueueId queue;  // the queue that uses it
    kernels::EventId here;
  };

  kernels::ComputeDevice& device_;
  DeviceBroadcasts& broadcasts_;
  kernels::QueueId travelling_;
  std::vector<Sent> sent_;
  std::vector<Coming> coming_;
};

}  // namespace apsp::cluster
