// The GPUs that a plan may choose from. Facts go in and plans come out: tests invent the facts,
// with a strict device in the place of the GPU.
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
  /// Of every device of the list; throws `Error` as `Open`, and takes none into use.
  using Sizes = std::function<std::unique_ptr<kernels::DeviceSizes>(Semiring semiring,
                                                                    ValueType type, kernels::Sign)>;
  /// `memory`: bytes that may be allocated.
  using Open = std::function<std::unique_ptr<kernels::ComputeDevice>(
      int ordinal, Semiring semiring, ValueType type, kernels::Sign sign, std::int64_t memory)>;

  std::vector<DeviceFacts> list;  // see `with_free_memory`
  std::string why_none;           // one line, where the list is empty
  Open open;
  std::function<std::int64_t(int ordinal)> memory_free{};  // bytes; none: as the list has it
  Sizes sizes{};
};

/// The device with its free memory. Listing does not ask for it, so that unused GPUs are
/// not touched. Throws `Error` (device).
DeviceFacts with_free_memory(const Devices& devices, DeviceFacts device);

/// Called only where the answer matters: the first call starts the driver, some 0.3 s with a GPU.
using FindDevices = std::function<Devices()>;

/// The devices of this machine and this build.
Devices cuda_devices();

/// "NVIDIA H200 (cuda:0)", "NVIDIA H200 (cuda:0,1)" with peers.
std::string title(const DeviceFacts& device, const std::vector<int>& peers = {});
/// A size as options take it, rounded up: "1229MiB".
std::string option_size(std::int64_t bytes);

}  // namespace apsp::planner
