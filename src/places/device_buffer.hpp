// Memory of a device, and pinned memory of the host, that are given back at the end of a scope.
//
// Requires of both: the device outlives them, and no work that uses them is queued when they end.
// An error in giving back is dropped: it can only follow one that was already reported.
#pragma once

#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/device.hpp"

namespace apsp::places {

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Throws `Error` (does_not_fit).
  DeviceBuffer(kernels::ComputeDevice& device, std::int64_t bytes)
      : device_(&device), data_(device.allocate(bytes)) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer() {
    if (device_ == nullptr) return;
    try {
      device_->release(data_);
    } catch (const Error&) {
    }
  }
  std::byte* data() const { return data_; }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
  }
  kernels::ComputeDevice* device_ = nullptr;
  std::byte* data_ = nullptr;
};

class PinnedMemory {
 public:
  /// The whole of a host matrix; nothing where it has no values.
  PinnedMemory(kernels::ComputeDevice& device, kernels::View matrix, int value_size)
      : device_(device) {
    if (matrix.data == nullptr || matrix.rows == 0 || matrix.cols == 0) return;
    device.pin(matrix.data, ((matrix.rows - 1) * matrix.stride + matrix.cols) * value_size);
    data_ = matrix.data;
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() {
    if (data_ == nullptr) return;
    try {
      device_.unpin(data_);
    } catch (const Error&) {
    }
  }

 private:
  kernels::ComputeDevice& device_;
  void* data_ = nullptr;
};

/// Waits for the end of a queue's work where what it throws no longer matters: an `Error` of the
/// device, or anything where the device's work is a function of the host.
inline void drain(kernels::ComputeDevice& device, kernels::QueueId queue) noexcept {
  try {
    device.synchronize(queue);
  } catch (...) {  // it was reported where the work was waited for
  }
}

}  // namespace apsp::places
