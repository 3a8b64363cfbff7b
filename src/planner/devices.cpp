#include "planner/devices.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

namespace apsp::planner {

Devices cuda_devices() {
  Devices devices{{},
                  {},
                  [](auto... with) { return kernels::cuda::make_device(with...); },
                  kernels::cuda::memory_free,
                  kernels::cuda::sizes};
  try {
    devices.list = kernels::cuda::devices();
    if (devices.list.empty()) devices.why_none = kernels::cuda::why_no_device();
  } catch (const Error& error) {  // a device that cannot be asked counts as none
    devices.why_none = error.what();
  }
  return devices;
}

DeviceFacts with_free_memory(const Devices& devices, DeviceFacts device) {
  if (devices.memory_free) device.memory_free = devices.memory_free(device.ordinal);
  return device;
}

std::string title(const DeviceFacts& device, const std::vector<int>& peers) {
  std::string ordinals = fmt::format("cuda:{}", device.ordinal);
  for (const int peer : peers) ordinals += fmt::format(",{}", peer);
  return fmt::format("{} ({})", device.name, ordinals);
}

std::string option_size(std::int64_t bytes) {
  constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB, kLeastMiB = 16;
  if (bytes < kLeastMiB * kMiB) return fmt::format("{}KiB", (bytes + kKiB - 1) / kKiB);
  return fmt::format("{}MiB", (bytes + kMiB - 1) / kMiB);
}

}  // namespace apsp::planner
