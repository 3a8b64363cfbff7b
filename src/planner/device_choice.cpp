#include "planner/device_choice.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "base/units.hpp"
#include "planner/device_model.hpp"
#include "planner/host_model.hpp"

namespace apsp::planner {
namespace {

void check(const DevicePreference& preference) {
  if (preference.ordinals.empty()) return;
  if (preference.device != Device::cuda) {
    throw Error(ErrorKind::usage, "numbers of GPUs go with --device cuda alone");
  }
  for (std::size_t i = 0; i < preference.ordinals.size(); ++i) {
    const int ordinal = preference.ordinals[i];
    const auto before = preference.ordinals.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(preference.ordinals.begin(), before, ordinal) != before) {
      throw Error(ErrorKind::usage, fmt::format("--device names cuda:{} twice", ordinal));
    }
    if (ordinal < 0 && !(ordinal == kAllGpus && preference.ordinals.size() == 1)) {
      throw Error(ErrorKind::usage, "GPUs are counted from 0: --device cuda:0 is the first");
    }
  }
}

std::vector<DeviceFacts> with_free_memory(const Devices& devices, std::vector<DeviceFacts> list) {
  for (DeviceFacts& device : list) device = planner::with_free_memory(devices, device);
  return list;
}

/// Without statistics, and without the driver's start, which is over by now.
double device_seconds(const DevicePlan& plan) {
  return predict_on_device(plan, {.statistics = false}).solve;
}

/// The one GPU's plan, or that of all where they save what taking them into use costs and more.
DevicePlan on_all_if_faster(const DeviceProblem& problem, const Devices& devices,
                            const RateSource& rates, DevicePlan plan) {
  constexpr double kShare = 0.8;
  const double least = 4 * driver_start_seconds(rates);
  const double one = device_seconds(plan);
  const bool alike = std::all_of(devices.list.begin(), devices.list.end(), [&](const auto& facts) {
    return facts.name == devices.list.front().name;
  });
  if (devices.list.size() < 2 || !alike || one < least) return plan;
  try {
    DevicePlan all =
        plan_on_devices(problem, with_free_memory(devices, devices.list), devices, rates);
    if (device_seconds(all) < kShare * one) return all;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::does_not_fit && error.kind() != ErrorKind::device) throw;
  }
  return plan;
}

DeviceChoice choose_automatically(const DeviceProblem& problem, const FindDevices& find,
                                  const RateSource& rates) {
  if (!why_not_on_cuda(problem).empty()) {
    const bool reachability = problem.kernel.semiring == Semiring::or_and;
    return {std::nullopt, reachability ? "reachability with intermediate vertices needs the CPU"
                                       : "integer sums of this size and sign need the CPU"};
  }
  const double on_cpu = cpu_seconds(problem, rates);
  // A GPU is not asked for less than twice the time that its driver takes.
  if (on_cpu < 2 * driver_start_seconds(rates)) return {std::nullopt, "too small for a GPU to pay"};
  const Devices devices = find();
  if (devices.list.empty()) return {std::nullopt, devices.why_none};
  try {
    const DeviceFacts first = planner::with_free_memory(devices, devices.list.front());
    DevicePlan plan =
        on_all_if_faster(problem, devices, rates, plan_on_device(problem, first, devices, rates));
    if (device_seconds(plan) < on_cpu) {
      return {std::move(plan),
              fmt::format("the CPU would take some {}", base::format_seconds(on_cpu))};
    }
    return {std::nullopt, "no slower than the GPU with its copies"};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::device) return {std::nullopt, error.what()};
    if (error.kind() != ErrorKind::does_not_fit) throw;
    return {std::nullopt, "the GPU has too little free memory"};
  }
}

}  // namespace

double cpu_seconds(const DeviceProblem& problem, const RateSource& rates) {
  return host_rates(rates, problem.kernel, problem.shape, problem.threads, problem.n)
      .solve.seconds(static_cast<double>(problem.n));
}

std::vector<DeviceFacts> preferred_devices(const Devices& devices,
                                           const DevicePreference& preference,
                                           std::size_t unnamed) {
  check(preference);
  if (devices.list.empty()) {
    throw Error(
        ErrorKind::device,
        devices.why_none + "; use --device cpu, or --device auto, which takes what is there");
  }
  if (preference.ordinals.empty()) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(unnamed, devices.list.size()));
    return {devices.list.begin(), devices.list.begin() + count};
  }
  if (preference.ordinals.front() == kAllGpus) return devices.list;
  std::vector<DeviceFacts> taken;
  for (const int ordinal : preference.ordinals) {
    const auto found = std::find_if(devices.list.begin(), devices.list.end(),
                                    [=](const auto& facts) { return facts.ordinal == ordinal; });
    if (found != devices.list.end()) {
      taken.push_back(*found);
      continue;
    }
    std::string there;
    for (const DeviceFacts& device : devices.list) {
      there +=
          fmt::format("{}cuda:{} ({})", there.empty() ? "" : ", ", device.ordinal, device.name);
    }
    throw Error(ErrorKind::device,
                fmt::format("there is no cuda:{}; use --device cpu, or one of {}", ordinal, there));
  }
  return taken;
}

NamedDevice named_device(const DevicePreference& preference, const FindDevices& find,
                         const RateSource& rates) {
  check(preference);
  NamedDevice device{find(), {}, {}};
  device.taken = with_free_memory(device.devices, preferred_devices(device.devices, preference));
  device.link = link_rates(rates, device.taken.front());
  return device;
}

DeviceChoice choose_device(const DeviceProblem& problem, const DevicePreference& preference,
                           const FindDevices& find, const RateSource& rates) {
  check(preference);
  if (preference.device == Device::cpu) return {};
  if (preference.device == Device::automatic) return choose_automatically(problem, find, rates);
  if (const std::string why = why_not_on_cuda(problem); !why.empty()) {
    throw Error(ErrorKind::device, why);
  }
  const NamedDevice device = named_device(preference, find);
  return {plan_on_devices(problem, device.taken, device.devices, rates), {}};
}

}  // namespace apsp::planner
