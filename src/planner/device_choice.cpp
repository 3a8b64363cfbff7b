#include "planner/device_choice.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "base/units.hpp"
#include "planner/device_model.hpp"
#include "planner/host_model.hpp"

namespace apsp::planner {
namespace {

void check(const DeviceWish& wish) {
  if (wish.ordinals.empty()) return;
  if (wish.device != Device::cuda) {
    throw Error(ErrorKind::usage, "numbers of GPUs go with --device cuda alone");
  }
  if (wish.ordinals.size() > 1) {
    throw Error(ErrorKind::usage,
                fmt::format("a solve runs on one GPU; name one, such as --device cuda:{}",
                            wish.ordinals.front()));
  }
  if (wish.ordinals.front() < 0) {
    throw Error(ErrorKind::usage, "GPUs are counted from 0: --device cuda:0 is the first");
  }
}

const DeviceFacts& named(const Devices& devices, const DeviceWish& wish) {
  if (devices.list.empty()) {
    throw Error(
        ErrorKind::device,
        devices.why_none + "; use --device cpu, or --device auto, which takes what is there");
  }
  if (wish.ordinals.empty()) return devices.list.front();
  std::string there;
  for (const DeviceFacts& device : devices.list) {
    if (device.ordinal == wish.ordinals.front()) return device;
    there += fmt::format("{}cuda:{} ({})", there.empty() ? "" : ", ", device.ordinal, device.name);
  }
  throw Error(ErrorKind::device, fmt::format("there is no cuda:{}; use --device cpu, or one of {}",
                                             wish.ordinals.front(), there));
}

double cpu_seconds(const DeviceProblem& problem, const RateSource& rates) {
  return host_rates(rates, problem.kernel, problem.shape, problem.threads, problem.n)
      .solve.seconds(static_cast<double>(problem.n));
}

/// As above: without statistics, and without the driver's start, which is over by now.
double device_seconds(const DevicePlan& plan) {
  return predict_on_device(plan, {.statistics = false}).solve;
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
  if (on_cpu < 2 * kDeviceStartSeconds) return {std::nullopt, "too small for a GPU to pay"};
  const Devices devices = find();
  if (devices.list.empty()) return {std::nullopt, devices.why_none};
  try {
    const DeviceFacts first = with_free_memory(devices, devices.list.front());
    DevicePlan plan = plan_on_device(problem, first, devices, rates);
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

NamedDevice named_device(const DeviceWish& wish, const FindDevices& find) {
  check(wish);
  NamedDevice device{find(), {}};
  device.facts = with_free_memory(device.devices, named(device.devices, wish));
  return device;
}

DeviceChoice choose_device(const DeviceProblem& problem, const DeviceWish& wish,
                           const FindDevices& find, const RateSource& rates) {
  check(wish);
  if (wish.device == Device::cpu) return {};
  if (wish.device == Device::automatic) return choose_automatically(problem, find, rates);
  if (const std::string why = why_not_on_cuda(problem); !why.empty()) {
    throw Error(ErrorKind::device, why);
  }
  const NamedDevice device = named_device(wish, find);
  return {plan_on_device(problem, device.facts, device.devices, rates), {}};
}

}  // namespace apsp::planner
