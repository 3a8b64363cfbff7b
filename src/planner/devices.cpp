#include "planner/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <utility>

#include "base/refusal.hpp"

namespace apsp::planner {
namespace {

/// The share of the device's free memory that a solve may use: kernels and queues take memory too.
constexpr double kShareOfDevice = 0.95;

std::string take_preferred(const Devices& devices, const DevicePreference& preference,
                           std::size_t unnamed, std::vector<DeviceFacts>& taken) {
  const std::vector<DeviceFacts>& list = devices.list;
  if (list.empty()) {
    return devices.why_none +
           "; use `device=cpu`, or `device=auto`, which takes a GPU only if there is one";
  }
  if (preference.ordinals.empty()) {
    taken.assign(list.begin(),
                 list.begin() + static_cast<std::ptrdiff_t>(std::min(unnamed, list.size())));
    return {};
  }
  if (preference.ordinals.front() == kAllGpus) {
    taken = list;
    return {};
  }
  for (const int ordinal : preference.ordinals) {
    const auto found = std::find_if(list.begin(), list.end(), [=](const DeviceFacts& facts) {
      return facts.ordinal == ordinal;
    });
    if (found != list.end()) {
      taken.push_back(*found);
      continue;
    }
    std::string all;
    for (const DeviceFacts& device : list) {
      all += fmt::format("{}cuda:{} ({})", all.empty() ? "" : ", ", device.ordinal, device.name);
    }
    return fmt::format("cuda:{} does not exist; use `device=cpu`, or one of {}", ordinal, all);
  }
  return {};
}

}  // namespace

bool Devices::several_alike() const {
  return list.size() > 1 && std::all_of(list.begin(), list.end(), [&](const DeviceFacts& facts) {
           return facts.name == list.front().name;
         });
}

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

std::int64_t allowed_device_bytes(std::int64_t memory, std::span<const DeviceFacts> devices) {
  const auto least = std::ranges::min(devices, {}, &DeviceFacts::memory_free).memory_free;
  const auto usable = static_cast<std::int64_t>(kShareOfDevice * static_cast<double>(least));
  return memory > 0 ? std::min(memory, usable) : usable;
}

DevicePreference preferred_by(const SolveOptions& options) {
  return {options.machine.device, options.machine.device_ordinals};
}

void check(const DevicePreference& preference) {
  const std::vector<int>& ordinals = preference.ordinals;
  refuse_if(!ordinals.empty() && preference.device != Device::cuda,
            "numbers of GPUs are only for `device=cuda`");
  for (auto at = ordinals.begin(); at != ordinals.end(); ++at) {
    refuse_if(std::find(ordinals.begin(), at, *at) != at, "`device` names cuda:{} twice", *at);
    refuse_if(*at < 0 && !(*at == kAllGpus && ordinals.size() == 1),
              "GPUs are counted from 0: `device=cuda:0` is the first");
  }
}

std::vector<DeviceFacts> preferred_devices(const Devices& devices,
                                           const DevicePreference& preference,
                                           std::size_t unnamed) {
  check(preference);
  std::vector<DeviceFacts> taken;
  const std::string why = take_preferred(devices, preference, unnamed, taken);
  if (!why.empty()) throw Error(ErrorKind::device, why);
  return taken;
}

std::unique_ptr<kernels::ComputeDevice> NamedDevice::open(Semiring semiring, ValueType type,
                                                          kernels::Sign sign,
                                                          std::int64_t memory) const {
  const DeviceFacts& first = taken.front();
  return devices.open(first.ordinal, semiring, type, sign,
                      allowed_device_bytes(memory, {&first, 1}));
}

const Devices& FoundDevices::all() const {
  looked_for_ = true;
  if (!state_->all) state_->all = state_->find();
  return *state_->all;
}

const NamedDevice& FoundDevices::named(const DevicePreference& preference) const {
  check(preference);
  const Devices& devices = all();
  if (const auto known = state_->named.find(preference.ordinals); known != state_->named.end()) {
    return known->second;
  }
  NamedDevice named{.devices = devices};
  named.why_none = take_preferred(named.devices, preference, 1, named.taken);
  try {
    for (DeviceFacts& device : named.taken) device = with_free_memory(named.devices, device);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device) throw;
    named.why_none = error.what();
  }
  if (!named.why_none.empty()) named.taken.clear();
  return state_->named.emplace(preference.ordinals, std::move(named)).first->second;
}

NamedDevice named_device(const DevicePreference& preference, const FindDevices& find) {
  NamedDevice device = FoundDevices(find).named(preference);
  if (!device.why_none.empty()) throw Error(ErrorKind::device, device.why_none);
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
