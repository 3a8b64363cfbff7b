// Memory of a device, and pinned host memory, that are released at the end of a scope. The device
// outlives them, and no queued work uses them when they end. Errors of the release are dropped:
// they can only follow others that were reported.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/device.hpp"

namespace apsp::dense {

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Throws `Error` (does_not_fit).
  DeviceBuffer(kernels::DeviceAllocator& device, std::int64_t bytes)
      : memory_(device.allocate(bytes), {&device}) {}
  std::byte* data() const { return memory_.get(); }

 private:
  struct Release {
    kernels::DeviceAllocator* device;
    void operator()(std::byte* memory) const noexcept {
      try {
        device->release(memory);
      } catch (const std::exception&) {  // the device is lost, or no memory is left to say so
      }
    }
  };
  std::unique_ptr<std::byte, Release> memory_;
};

class PinnedMemory {
 public:
  /// The whole of a host matrix; nothing where it has no values.
  PinnedMemory(kernels::DeviceAllocator& device, kernels::View matrix, int value_size)
      : memory_(nullptr, {&device}) {
    if (matrix.data == nullptr || matrix.rows == 0 || matrix.cols == 0) return;
    device.pin(matrix.data, ((matrix.rows - 1) * matrix.stride + matrix.cols) * value_size);
    memory_.reset(matrix.data);
  }

 private:
  struct Unpin {
    kernels::DeviceAllocator* device;
    void operator()(void* memory) const noexcept {
      try {
        device->unpin(memory);
      } catch (const std::exception&) {  // the device is lost, or no memory is left to say so
      }
    }
  };
  std::unique_ptr<void, Unpin> memory_;
};

/// Makes later work of `queue` wait for an event; −1: there is none.
inline void wait_for(kernels::DeviceQueues& device, kernels::QueueId queue,
                     kernels::EventId event) {
  if (event >= 0) device.wait(queue, event);
}

/// Waits for the end of a queue's work and ignores its exceptions.
inline void drain(kernels::DeviceQueues& device, kernels::QueueId queue) noexcept {
  try {
    device.synchronize(queue);
  } catch (...) {  // it was reported where the work was waited for
  }
}

/// An array of the host and its copy on a device.
template <class T>
class DeviceArray {
 public:
  /// Throws `Error` (does_not_fit).
  DeviceArray(kernels::DeviceAllocator& device, std::vector<T> values)
      : host_(std::move(values)), buffer_(device, bytes()) {}

  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }  ///< on the device
  const std::vector<T>& host() const { return host_; }
  /// Changes the host's array. Requires: no copy is under way.
  void set(std::int64_t i, T value) { host_[static_cast<std::size_t>(i)] = value; }
  /// Queues the copy; the array outlives it.
  void copy_in(kernels::DeviceQueues& device, kernels::QueueId queue) {
    device.copy_in(queue, {buffer_.data(), 1, bytes(), bytes()},
                   {host_.data(), 1, bytes(), bytes()}, 1);
  }
  /// Queues a copy of zeros; the array outlives it.
  void clear(kernels::DeviceQueues& device, kernels::QueueId queue) {
    std::fill(host_.begin(), host_.end(), T{});
    copy_in(device, queue);
  }
  void copy_out(kernels::DeviceQueues& device, kernels::QueueId queue) {
    device.copy_out(queue, {host_.data(), 1, bytes(), bytes()},
                    {buffer_.data(), 1, bytes(), bytes()}, 1);
  }

 private:
  std::int64_t bytes() const { return std::ssize(host_) * std::int64_t{sizeof(T)}; }

  std::vector<T> host_;
  DeviceBuffer buffer_;
};

/// A device's copy of an array of the host.
template <class T>
class DeviceCopy {
 public:
  /// Claims memory; `values` outlive it. Throws `Error` (does_not_fit).
  DeviceCopy(kernels::DeviceAllocator& device, const std::vector<T>& values)
      : values_(values), buffer_(device, bytes()) {}

  /// Returns the array on the device; null: it is empty.
  const T* data() const {
    return values_.empty() ? nullptr : reinterpret_cast<const T*>(buffer_.data());
  }
  void copy_in(kernels::DeviceQueues& device, kernels::QueueId queue) {
    if (values_.empty()) return;
    device.copy_in(queue, {buffer_.data(), 1, bytes(), bytes()},
                   {values_.data(), 1, bytes(), bytes()}, 1);
  }

 private:
  std::int64_t bytes() const { return std::ssize(values_) * std::int64_t{sizeof(T)}; }

  const std::vector<T>& values_;
  DeviceBuffer buffer_;
};

}  // namespace apsp::dense
