#include "engine/device_run.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>

namespace apsp::engine {

DeviceSolve::DeviceSolve(kernels::ComputeDevice& device, const planner::DevicePlan& plan,
                         const places::TiledMatrix& host, kernels::Cycles cycles,
                         const Control& control, const places::TiledMatrix& via) {
  if (plan.streamed) {
    place_.emplace<places::StreamedMemory>(device, plan.offload, host, cycles, control, via);
  } else {
    place_.emplace<places::DeviceMemory>(device, host, plan.shape, cycles, control, via);
  }
}

double DeviceSolve::run() {
  const auto start = std::chrono::steady_clock::now();
  if (auto* const resident = std::get_if<places::DeviceMemory>(&place_)) resident->run();
  if (auto* const streamed = std::get_if<places::StreamedMemory>(&place_)) streamed->run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

DeviceReport with_device(const planner::DevicePlan& plan,
                         const std::function<double(kernels::ComputeDevice&)>& run) {
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

}  // namespace apsp::engine
