// CPU or GPU. A device that was asked for by name is taken, or the solve ends with what would work;
// only `Device::automatic` may turn to another, and then says why.
#pragma once

#include <apsp/solve.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/device_plan.hpp"

namespace apsp::planner {

struct DevicePreference {
  Device device = Device::automatic;
  std::vector<int> ordinals{};  // of GPUs; empty: the first; `kAllGpus`: every one
};

struct DeviceChoice {
  std::optional<DevicePlan> cuda;  // empty: the CPU
  std::string why;                 // the reason of an automatic choice; else empty
};

/// GPUs that were asked for by name, and all that there are.
struct NamedDevice {
  Devices devices;
  std::vector<DeviceFacts> taken;  // at least one, with their free memory
  LinkRates link{};                // of the first
};
/// Requires: a GPU is wished for. Throws `Error`: usage, device (none there).
NamedDevice named_device(const DevicePreference& preference, const FindDevices& find,
                         const RateSource& rates = {});

/// What the host's threads take in memory, s.
double cpu_seconds(const DeviceProblem& problem, const RateSource& rates);
/// The devices of a preference for GPUs, in its order; their free memory is not asked for.
/// `unnamed`: how many where the preference names none. Throws `Error`: usage, device (none there).
std::vector<DeviceFacts> preferred_devices(const Devices& devices,
                                           const DevicePreference& preference,
                                           std::size_t unnamed = 1);

/// Throws `Error`: usage (ordinals that make no sense), device (none there, or the engine does not
/// take the problem), does_not_fit; the last two only where a GPU was asked for by name.
DeviceChoice choose_device(const DeviceProblem& problem, const DevicePreference& preference,
                           const FindDevices& find, const RateSource& rates = {});

}  // namespace apsp::planner
