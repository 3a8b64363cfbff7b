// Broadcasts from device to device, given to a queue as other operations are.
//
// NCCL implements them (mpi/nccl_links.hpp), and for tests devices that read each other's memory
// (testing/strict_broadcasts.hpp). A broadcast that has begun on one device waits there until the
// other members of its line have begun it too, and holds a part of the device meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/device.hpp"
#include "places/communicator.hpp"

namespace apsp::places {

class DeviceBroadcasts {
 public:
  virtual ~DeviceBroadcasts() = default;

  /// Returns when `broadcast` may be called. Throws `Error` (device) where devices did not find
  /// each other.
  virtual void await_ready() = 0;
  /// Memory of the member `root`'s device, as `queue` leaves it, becomes that of the others.
  /// `queue`: the same in all calls. Every member of the line calls it, with the same bytes; it may
  /// return when all of them have.
  virtual void broadcast(Along along, int root, kernels::QueueId queue, std::byte* memory,
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
  /// A text that tells GPU number `ordinal` of this machine from every other GPU.
  virtual std::string identity(int ordinal) const = 0;
  /// Called by all processes of a grid, which have a GPU each. A thread of its own connects the
  /// devices: `await_ready` waits for it. `device` and `communicator` outlive the result. Throws
  /// `Error` (device).
  virtual std::unique_ptr<DeviceBroadcasts> connect(kernels::ComputeDevice& device,
                                                    Communicator& communicator) = 0;
};

}  // namespace apsp::places
