// Values in a device's memory and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/device.hpp"

namespace apsp {

/// A device's memory with a copy of the values.
template <class T>
T* to_device(kernels::ComputeDevice& device, kernels::QueueId queue, const std::vector<T>& values) {
  const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
  std::byte* const memory = device.allocate(bytes);
  device.copy_in(queue, kernels::View{memory, 1, bytes, bytes},
                 kernels::ConstView{values.data(), 1, bytes, bytes}, 1);
  return reinterpret_cast<T*>(memory);
}
template <class T>
void fetch(kernels::ComputeDevice& device, kernels::QueueId queue, std::vector<T>& values,
           const T* from) {
  const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
  device.copy_out(queue, kernels::View{values.data(), 1, bytes, bytes},
                  kernels::ConstView{from, 1, bytes, bytes}, 1);
  device.synchronize(queue);
}

}  // namespace apsp
