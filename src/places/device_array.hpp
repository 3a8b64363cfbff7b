// An array of the host and its copy on a device.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/device.hpp"
#include "places/device_buffer.hpp"

namespace apsp::places {

template <class T>
class DeviceArray {
 public:
  /// Throws `Error` (does_not_fit).
  DeviceArray(kernels::ComputeDevice& device, std::vector<T> values)
      : host_(std::move(values)), buffer_(device, bytes()) {}

  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }  ///< on the device
  const std::vector<T>& host() const { return host_; }
  /// Queues the copy; the array outlives it.
  void copy_in(kernels::ComputeDevice& device, kernels::QueueId queue) {
    device.copy_in(queue, {buffer_.data(), 1, bytes(), bytes()},
                   {host_.data(), 1, bytes(), bytes()}, 1);
  }
  void copy_out(kernels::ComputeDevice& device, kernels::QueueId queue) {
    device.copy_out(queue, {host_.data(), 1, bytes(), bytes()},
                    {buffer_.data(), 1, bytes(), bytes()}, 1);
  }

 private:
  std::int64_t bytes() const { return std::ssize(host_) * std::int64_t{sizeof(T)}; }

  std::vector<T> host_;
  DeviceBuffer buffer_;
};

}  // namespace apsp::places
