// The GPUs that a plan may choose from, and those that were asked for. Tests use invented facts,
// with a strict device as the GPU.
#pragma once

#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
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

  /// Whether there are several GPUs, all of one model.
  bool several_alike() const;
};

/// Returns the device with its free memory. Listing does not ask for it, so that unused GPUs stay
/// idle. Throws `Error` (device).
DeviceFacts with_free_memory(const Devices& devices, DeviceFacts device);

/// Returns the bytes of each of the devices that a solve may use: `memory`, or less if not free.
/// `memory` 0: no limit. Requires: there is a device.
std::int64_t allowed_device_bytes(std::int64_t memory, std::span<const DeviceFacts> devices);

/// Called only if a GPU may be chosen: the first call starts the driver, some 0.3 s with a GPU.
using FindDevices = std::function<Devices()>;

Devices cuda_devices();

/// The devices that were asked for. A named device is used or the solve is refused; only
/// `Device::automatic` may choose another, and says why.
struct DevicePreference {
  Device device = Device::automatic;
  std::vector<int> ordinals{};  // of GPUs; empty: the first; `kAllGpus`: every one
};

DevicePreference preferred_by(const SolveOptions& options);

/// Throws `Error` (usage) for ordinals that make no sense.
void check(const DevicePreference& preference);

struct NamedDevice {
  Devices devices;
  std::vector<DeviceFacts> taken{};  // with their free memory; empty: none
  std::string why_none{};

  /// Opens the first one. `memory`: as in `allowed_device_bytes`. Requires: there is one.
  std::unique_ptr<kernels::ComputeDevice> open(Semiring semiring, ValueType type,
                                               kernels::Sign sign, std::int64_t memory) const;
};

/// Returns the preferred GPUs, at least one. Throws `Error`: usage, device (none found).
NamedDevice named_device(const DevicePreference& preference, const FindDevices& find);

/// Returns the preferred GPUs in order, without asking for free memory. `unnamed`: their number if
/// the preference names none. Throws `Error`: usage, device (none found).
std::vector<DeviceFacts> preferred_devices(const Devices& devices,
                                           const DevicePreference& preference,
                                           std::size_t unnamed = 1);

/// The GPUs of one question: they are listed once, and each choice of them is asked for its memory
/// once. Copies, for other questions, share what was found.
class FoundDevices {
 public:
  FoundDevices(FindDevices find) : state_(std::make_shared<State>(State{std::move(find)})) {}
  FoundDevices(const FoundDevices& other) : state_(other.state_) {}

  /// Whether the question has looked for them, so that their driver has started.
  bool looked_for() const { return looked_for_; }
  const Devices& all() const;
  /// `why_none` says why none is taken. Throws `Error` (usage).
  const NamedDevice& named(const DevicePreference& preference) const;

 private:
  struct State {
    FindDevices find;
    std::optional<Devices> all{};
    std::map<std::vector<int>, NamedDevice> named{};  // by the preference's ordinals
  };
  std::shared_ptr<State> state_;
  mutable bool looked_for_ = false;
};

/// "NVIDIA H200 (cuda:0)", "NVIDIA H200 (cuda:0,1)" with peers.
std::string title(const DeviceFacts& device, const std::vector<int>& peers = {});
/// Returns an option value, rounded up: "1229MiB".
std::string option_size(std::int64_t bytes);

}  // namespace apsp::planner
