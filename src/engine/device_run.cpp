#include "engine/device_run.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>
#include <memory>

#include "base/on_threads.hpp"

namespace apsp::engine {

namespace {

constexpr std::int64_t kPieceBytes = std::int64_t{4} << 20;  // of a panel that is passed on

}  // namespace

DeviceSolve::DeviceSolve(const OpenDevices& devices, const planner::DevicePlan& plan,
                         const places::TiledMatrix& host, kernels::Cycles cycles,
                         const Control& control, const places::TiledMatrix& via) {
  kernels::ComputeDevice& device = *devices.front();
  if (devices.size() > 1 && plan.streamed) {
    place_.emplace<places::StreamedPeers>(devices, plan.offload, host, cycles, control, via,
                                          kPieceBytes);
  } else if (devices.size() > 1) {
    const int count = plan.devices();
    const int columns = plan.shape == places::Shape::symmetric ? places::PeerMemory::square(count)
                                                               : places::PeerMemory::columns(count);
    place_.emplace<places::PeerMemory>(devices, columns, host, cycles, control, via, kPieceBytes,
                                       plan.shape);
  } else if (plan.streamed) {
    place_.emplace<places::StreamedMemory>(device, plan.offload, host, cycles, control, via);
  } else {
    place_.emplace<places::DeviceMemory>(device, host, plan.shape, cycles, control, via);
  }
}

double DeviceSolve::run() {
  const auto start = std::chrono::steady_clock::now();
  if (auto* const resident = std::get_if<places::DeviceMemory>(&place_)) resident->run();
  if (auto* const peers = std::get_if<places::PeerMemory>(&place_)) peers->run();
  if (auto* const streamed = std::get_if<places::StreamedMemory>(&place_)) streamed->run();
  if (auto* const peers = std::get_if<places::StreamedPeers>(&place_)) peers->run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

DeviceReport with_devices(const planner::DevicePlan& plan,
                          const std::function<double(const OpenDevices&)>& run) {
  const planner::KernelKind& kernel = plan.kernel;
  DeviceReport report{.ordinal = plan.device.ordinal,
                      .name = plan.device.name,
                      .streamed = plan.streamed,
                      .panel = plan.streamed ? plan.offload.width : 0,
                      .bytes = plan.bytes,
                      .seconds_predicted = plan.seconds,
                      .peers = plan.peers};
  try {
    std::vector<std::unique_ptr<kernels::ComputeDevice>> owned(
        static_cast<std::size_t>(plan.devices() * plan.places));
    base::on_threads(plan.devices(), [&](int number) {
      const auto i = static_cast<std::size_t>(number);
      const int ordinal = number == 0 ? plan.device.ordinal : plan.peers[i - 1];
      for (int place = 0; place < plan.places; ++place) {
        owned[static_cast<std::size_t>(number * plan.places + place)] = plan.open(
            ordinal, kernel.semiring, kernel.type, kernel.sign, plan.bytes_allowed / plan.places);
      }
    });
    OpenDevices devices;
    for (const auto& device : owned) devices.push_back(device.get());
    report.seconds = run(devices);
    return report;
  } catch (const Error& error) {
    // The plan fitted what was free: someone else took it, or the driver fell.
    if (error.kind() == ErrorKind::does_not_fit) {
      const std::string less = plan.in_bits() ? "--device cpu takes none"
                                              : fmt::format(
                                                    "a --device-memory below {} takes "
                                                    "less, and --device cpu none",
                                                    planner::option_size(plan.bytes));
      throw Error(error.kind(), fmt::format("{}: {}; {}", plan.title(), error.what(), less));
    }
    if (error.kind() == ErrorKind::device) {
      throw Error(error.kind(),
                  fmt::format("{}: {}; --device cpu does without it", plan.title(), error.what()));
    }
    throw;
  }
}

}  // namespace apsp::engine
