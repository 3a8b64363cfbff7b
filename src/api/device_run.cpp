#include "api/device_run.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>

#include "places/device_memory.hpp"
#include "places/streamed_memory.hpp"

namespace apsp::api {
namespace {

/// Seconds from the first copy in to the last copy out: memory has been claimed and pinned before.
template <class Memory>
double seconds_of(Memory& memory) {
  const auto start = std::chrono::steady_clock::now();
  memory.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// run(device) gives the seconds that it took.
template <class F>
DeviceReport with_device(const planner::DevicePlan& plan, F&& run) {
  const planner::KernelKind& kernel = plan.kernel;
  DeviceReport report{.ordinal = plan.device.ordinal,
                      .name = plan.device.name,
                      .streamed = plan.streamed,
                      .panel = plan.streamed ? plan.offload.width : 0,
                      .bytes = plan.bytes,
                      .seconds_predicted = plan.seconds};
  try {
    const auto device = plan.open(plan.device.ordinal, kernel.semiring, kernel.type, kernel.sign,
                                  plan.bytes_allowed);
    report.seconds = run(*device);
    return report;
  } catch (const Error& error) {
    // The plan fitted what was free: someone else took it, or the driver fell.
    if (error.kind() == ErrorKind::does_not_fit) {
      const std::string less = plan.in_bits() ? "--device cpu takes none"
                                              : fmt::format(
                                                    "a --device-memory below {} takes "
                                                    "less, and --device cpu none",
                                                    planner::option_size(plan.bytes));
      throw Error(error.kind(),
                  fmt::format("{}: {}; {}", planner::title(plan.device), error.what(), less));
    }
    if (error.kind() == ErrorKind::device) {
      throw Error(error.kind(), fmt::format("{}: {}; --device cpu does without it",
                                            planner::title(plan.device), error.what()));
    }
    throw;
  }
}

}  // namespace

DeviceReport run_on_device(const planner::DevicePlan& plan, const Tiling& host, const Tiling& via,
                           kernels::Cycles cycles, const Control& control) {
  return with_device(plan, [&](kernels::Device& device) {
    if (plan.streamed) {
      StreamedMemory memory(device, plan.offload, host, cycles, control, via);
      return seconds_of(memory);
    }
    DeviceMemory memory(device, host, plan.shape, cycles, control, via);
    return seconds_of(memory);
  });
}

DeviceReport run_closure_on_device(const planner::DevicePlan& plan,
                                   const std::function<double(kernels::Device&)>& closure) {
  return with_device(plan, closure);
}

}  // namespace apsp::api
