// A device: memory of its own, queues, and kernels that run on them. Every back end that is not the
// host's own memory is one.
#pragma once

#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/tile_kernels.hpp"

namespace apsp::kernels {

class CallerMatrices;
class ComputeDevice;
class CountKernels;
class GatheredRowKernels;
class SearchKernels;
class ShortestPathKernels;

/// The error of exhausted device memory, as distinct from host memory.
class DeviceFull : public Error {
 public:
  explicit DeviceFull(const std::string& message) : Error(ErrorKind::does_not_fit, message) {}
};

/// The memory of a device. A pointer from `allocate` means nothing to the host.
class DeviceAllocator {
 public:
  virtual ~DeviceAllocator() = default;
  /// Throws `DeviceFull` when the device's memory is spent.
  virtual std::byte* allocate(std::int64_t bytes) = 0;
  virtual void release(std::byte* memory) = 0;
  virtual std::int64_t memory_free() const = 0;  ///< bytes
  /// Returns whether the host reads and writes this memory too, in step with the queues.
  virtual bool host_sees_memory() const { return false; }

  /// A hint that copies will use this host memory for long: they then run at full speed and at the
  /// same time as kernels. Requires for `unpin`: no copy is under way.
  virtual void pin(void* /*host*/, std::int64_t /*bytes*/) {}
  virtual void unpin(void* /*host*/) {}
};

/// Devices of one process may be peers: a queue of one reads another's memory and waits for its
/// events. Each device may take its orders from a thread of its own.
class PeerCopies {
 public:
  static constexpr const char* kTitle = "peers";
  virtual ~PeerCopies() = default;

  /// Opens the way to a peer's memory, before any queue is made. Throws `Error` (device) where the
  /// two have no way to each other.
  virtual void meet(ComputeDevice& peer) = 0;
  /// Makes a queue of this device wait for an event of the peer.
  virtual void wait_for(QueueId queue, ComputeDevice& peer, EventId event) = 0;
  /// Copies bytes of the peer's memory to memory of this device.
  virtual void copy_from(QueueId queue, std::byte* memory, ComputeDevice& peer,
                         const std::byte* from, std::int64_t bytes) = 0;
};

/// Memory and queues, with the kernels for one semiring and value type. Kernels live as long as
/// their device. A null pointer: the device has no such kernels (`required`).
class ComputeDevice : public DeviceAllocator, public DeviceQueues {
 public:
  virtual TileKernels& tiles() = 0;
  virtual PeerCopies* peers() { return nullptr; }
  virtual CallerMatrices* caller_matrices() { return nullptr; }
  virtual GatheredRowKernels* gathered_rows() { return nullptr; }
  virtual SearchKernels* searches() { return nullptr; }
  virtual ShortestPathKernels* shortest_paths() { return nullptr; }
  virtual CountKernels* counts() { return nullptr; }
};

/// Returns what `found` points to. Throws `Error` (device) where the device has none.
template <class Kernels>
Kernels& required(Kernels* found) {
  if (found != nullptr) return *found;
  throw Error(ErrorKind::device, std::string("this device has no ") + Kernels::kTitle);
}

}  // namespace apsp::kernels
