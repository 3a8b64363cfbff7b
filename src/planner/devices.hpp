// The GPUs that a plan may choose from. Tests use invented facts, with a strict device as the GPU.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_device.hpp"
#include "kernels/device.hpp"

namespace apsp::planner {

using kernels::cuda::DeviceFacts;

struct Devices {
  /// Returns the sizes of a device of the list without opening it; throws `Error` as `Open`.
  using Sizes = std::function<std::unique_ptr<kernels::DeviceSizes>(Semiring semiring,
                                                                    ValueType type, kernels::Sign)>;
  /// `memory`: bytes that may be allocated.
  using Open = std::function<std::unique_ptr<kernels::ComputeDevice>(
      int ordinal, Semiring semiring, ValueType type, kernels::Sign sign, std::int64_t memory)>;

  std::vector<DeviceFacts> list;
  std::string why_none;  // one line, if the list is empty
  Open open;
  std::function<std::int64_t(int ordinal)> memory_free{};  // bytes; none: as in the list
  Sizes sizes{};
};

/// Returns the device with its free memory. Listing does not ask for it, so that unused GPUs stay
/// idle. Throws `Error` (device).
DeviceFacts with_free_memory(const Devices& devices, DeviceFacts device);

/// Called only if a GPU may be chosen: the first call starts the driver, some 0.3 s with a GPU.
using FindDevices = std::function<Devices()>;

Devices cuda_devices();

/// "NVIDIA H200 (cuda:0)", "NVIDIA H200 (cuda:0,1)" with peers.
std::string title(const DeviceFacts& device, const std::vector<int>& peers = {});
/// Returns an option value, rounded up: "1229MiB".
std::string option_size(std::int64_t bytes);

}  // namespace apsp::planner
