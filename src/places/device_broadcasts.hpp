// Broadcasts from device to device, given to a queue as other operations are.
//
// NCCL has them (mpi/nccl_links.hpp), and tests on devices that read each other's memory. Like
// kernels of NCCL, one that runs waits for the others of its line and holds a part of the device
// meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/device.hpp"
#include "places/mail.hpp"

namespace apsp::places {

class DeviceBroadcasts {
 public:
  virtual ~DeviceBroadcasts() = default;

  /// Returns when broadcasts may be given. Throws `Error` (device) where devices did not find each
  /// other.
  virtual void await_ready() = 0;
  /// Memory of the member `root`'s device, as `queue` leaves it, becomes that of the others.
  /// `queue`: the same in all calls. Every member of the line calls it, with the same bytes; it may
  /// return when all of them have.
  virtual void broadcast(Along along, int root, kernels::QueueId queue, std::byte* memory,
                         std::int64_t bytes) = 0;
  /// Throws `Error` (device) where one that was given has failed.
  virtual void check() = 0;
  /// What was given ends without waiting for others, and leaves anything; no more is given.
  virtual void abandon() noexcept = 0;
};

/// What makes them.
class DeviceLinks {
 public:
  virtual ~DeviceLinks() = default;
  /// Of GPU number `ordinal`; another text for another GPU.
  virtual std::string identity(int ordinal) const = 0;
  /// All processes of a grid, a GPU each. Devices are looked for by another thread: see
  /// `await_ready`. Both outlive what is returned. Throws `Error` (device).
  virtual std::unique_ptr<DeviceBroadcasts> connect(kernels::ComputeDevice& device, Mail& mail) = 0;
};

}  // namespace apsp::places
