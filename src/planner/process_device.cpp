#include "planner/process_device.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "places/device_closure.hpp"
#include "places/device_memory.hpp"
#include "places/streamed_part_plan.hpp"
#include "planner/device_model.hpp"

namespace apsp::planner {
namespace {

std::int64_t part_bytes(const DevicePlan& plan, const kernels::DeviceSizes& sizes,
                        const ProcessPlace& place) {
  const places::TiledMatrix whole =
      plan.in_bits() ? places::bit_tiling(nullptr, plan.n, plan.n)
                     : places::TiledMatrix{
                           {nullptr, plan.n, plan.n, plan.n}, size_of(plan.kernel.type), plan.tile};
  return places::DeviceMemory::device_bytes(sizes, whole, false, place.rows, place.cols,
                                            plan.shape == places::Shape::symmetric);
}

[[noreturn]] void refuse_part(const DeviceProblem& problem, const DevicePlan& plan) {
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("{} vertices as {} need {} of the memory of {} for one of {} "
                  "processes, and {} {}; take more of them, or --device cpu",
                  base::format_count(plan.n), plan.in_bits() ? "bits" : name(problem.kernel.type),
                  base::format_bytes(plan.bytes), plan.title(), plan.processes,
                  base::format_bytes(plan.bytes_allowed),
                  problem.memory > 0 ? "may be used" : "are free for it"));
}

/// The part rests in the host's memory, in tiles as wide as a panel.
void stream_part(const DeviceProblem& problem, const ProcessPlace& place,
                 const kernels::DeviceSizes& sizes, DevicePlan& plan) {
  const std::int64_t asked =
      problem.tile > 0 ? base::rounded_up(problem.tile, sizes.granule()) : std::int64_t{0};
  const places::OffloadGrid grid{.problem = {.n = problem.n,
                                             .value_size = size_of(problem.kernel.type),
                                             .device_memory = plan.bytes_allowed},
                                 .rows = place.rows,
                                 .columns = place.cols,
                                 .width = asked,
                                 .messages = 1 / way_to_process(plan.link),
                                 .pinned = plan.link.pinned};
  try {
    plan.offload =
        places::plan_streamed_part(grid, rates_of_each(plan.rates.copies, place.of_machine), sizes);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", plan.title(), error.what()));
  }
  plan.streamed = true;
  plan.shape = places::Shape::full;
  plan.tile = plan.offload.width;
  plan.bytes = plan.offload.device_bytes;
  plan.seconds = plan.offload.seconds;
}

DevicePlan plan_part(const DeviceProblem& problem, const DeviceFacts& device,
                     const ProcessPlace& place, const Devices& devices, const RateSource& rates) {
  DevicePlan plan{.device = device,
                  .kernel = problem.kernel,
                  .n = problem.n,
                  .shape = problem.kernel.in_bits() ? places::Shape::full : problem.shape,
                  .processes = place.rows * place.cols,
                  .open = devices.open};
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  const auto sizes = devices.sizes(semiring, type, sign);
  plan.bytes_allowed = allowed_device_bytes(problem, device);
  plan.rates = device_rates(plan, problem.threads, rates);
  plan.link = link_rates(rates, device);
  plan.tile = device_tile(problem, *sizes, false);
  plan.bytes = part_bytes(plan, *sizes, place);
  if (place.streams || plan.bytes > plan.bytes_allowed) {
    if (plan.in_bits()) refuse_part(problem, plan);
    stream_part(problem, place, *sizes, plan);
    return plan;
  }
  plan.seconds = resident_seconds(plan, false, plan.rates);
  return plan;
}

}  // namespace

Devices own_device(const DevicePreference& preference, const ProcessPlace& place,
                   const FindDevices& find) {
  Devices devices = find();
  const std::vector<DeviceFacts> taken =
      preferred_devices(devices, preference, devices.list.size());
  const auto count = static_cast<int>(taken.size()), mine = place.number % count;
  DeviceFacts device = with_free_memory(devices, taken[static_cast<std::size_t>(mine)]);
  const int sharing = place.of_machine / count + (mine < place.of_machine % count ? 1 : 0);
  device.memory_free /= std::max(1, sharing);
  devices.list = {device};
  devices.memory_free = {};  // the list has it
  return devices;
}

DeviceChoice choose_process_device(const DeviceProblem& problem, const DevicePreference& preference,
                                   const ProcessPlace& place, const FindDevices& find,
                                   const RateSource& rates) {
  const bool named = preference.device == Device::cuda;
  if (preference.device == Device::cpu) return {};
  // A GPU is not asked for less than twice the time that its driver takes.
  if (!named && cpu_seconds(problem, rates) < 2 * driver_start_seconds(rates)) {
    return {std::nullopt, "too small for a GPU to pay"};
  }
  try {
    if (const std::string why = why_not_on_cuda(problem); !why.empty()) {
      throw Error(ErrorKind::device, why);
    }
    const Devices mine = own_device(preference, place, find);
    return {plan_part(problem, mine.list.front(), place, mine, rates), {}};
  } catch (const Error& error) {
    const bool refused =
        error.kind() == ErrorKind::device || error.kind() == ErrorKind::does_not_fit;
    if (named || !refused) throw;
    return {std::nullopt, error.what()};
  }
}

}  // namespace apsp::planner
