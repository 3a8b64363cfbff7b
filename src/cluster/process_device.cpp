#include "cluster/process_device.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "dense/device_memory.hpp"
#include "dense/grid.hpp"
#include "dense/reachable_bits.hpp"
#include "planner/device_model.hpp"

namespace apsp::cluster {
namespace {

/// The share of a link's rate in both directions while panels go through host memory: 24 of 42 GB/s
/// each way, measured for two widths on two H200 of one host.
constexpr double kBesideMessages = 0.57;
constexpr double kPivotSeconds = 1.3e-6;  // closing a tile, for each pivot
constexpr std::int64_t kMostWidth = 8192, kMostStrip = 1024;

double pair_bytes(const OffloadGrid& grid) {
  return static_cast<double>(grid.problem.value_size) / grid.problem.columns_per_value;
}

/// The part of one process, in vertices.
struct PartSize {
  std::int64_t rows = 0, columns = 0;
};

PartSize largest_part(const OffloadGrid& grid, std::int64_t width) {
  return {dense::BlockCyclic{grid.rows, 0}.vertices(grid.problem.n, width),
          dense::BlockCyclic{grid.columns, 0}.vertices(grid.problem.n, width)};
}

std::int64_t bytes_for(const dense::OffloadPlan& plan, const OffloadGrid& grid,
                       const kernels::DeviceSizes& sizes) {
  const std::int64_t side = std::min(plan.width, grid.problem.n);
  const PartSize part = largest_part(grid, plan.width);
  const std::int64_t values = grid.problem.values_of(side);
  return (side * sizes.stride(values) + plan.buffers * plan.buffer_values) *
             grid.problem.value_size +
         sizes.close_bytes(side) + sizes.left_bytes(side, side) + sizes.right_bytes(values, side) +
         2 * (sizes.left_bytes(part.rows, side) +
              sizes.right_bytes(grid.problem.values_of(part.columns), side));
}

void predict_part(dense::OffloadPlan& plan, const OffloadGrid& grid,
                  const dense::OffloadRates& rates, const kernels::DeviceSizes& sizes) {
  const PartSize part = largest_part(grid, plan.width);
  const auto rows = static_cast<double>(part.rows), columns = static_cast<double>(part.columns);
  const auto width = static_cast<double>(plan.width);
  const double steps = std::ceil(static_cast<double>(grid.problem.n) / width);
  const double bytes = rows * columns * pair_bytes(grid);
  const double in = bytes / rates.in, out = bytes / rates.out;
  const bool alone = grid.rows * grid.columns == 1;
  const double copies = std::max({in, out, 2 * bytes / rates.both / (alone ? 1 : kBesideMessages)});
  const double panels = (rows / grid.columns + columns / grid.rows) * width * width;
  const auto worked_on =
      static_cast<double>(base::rounded_up(plan.strip_rows, sizes.product_rows()));
  const double strips = worked_on / static_cast<double>(plan.strip_rows);
  const double work = (strips * rows * columns * width + panels) / rates.relaxations;
  const double tile = width * width * pair_bytes(grid);
  const double travelling =
      ((grid.columns > 1 ? rows : 0) + (grid.rows > 1 ? columns : 0)) * width * pair_bytes(grid);
  const double chain =
      kPivotSeconds * width + (alone ? 0 : 2 * tile / grid.messages) + travelling / grid.messages;
  const double ring = (work + in + out) / static_cast<double>(plan.buffers);
  const double step = std::max({work, copies, ring, chain});
  plan.work = steps * work;
  plan.copies = steps * copies;
  plan.seconds =
      steps * (step + dense::kPieceSeconds * rows / static_cast<double>(plan.strip_rows)) + chain +
      travelling / grid.pinned;
}

std::int64_t part_bytes(const planner::DevicePlan& plan, const kernels::DeviceSizes& sizes,
                        const ProcessPlace& place) {
  const dense::TiledMatrix whole = planner::device_matrix(plan.kernel, plan.n, plan.tile);
  return dense::DeviceMemory::device_bytes(sizes, whole, plan.kernel.tracks_via, place.rows,
                                           place.cols, plan.shape == dense::Shape::symmetric);
}

/// Plans to stream the part, which is in the host's memory in tiles as wide as a panel.
void stream_part(const planner::DeviceProblem& problem, const ProcessPlace& place,
                 const kernels::DeviceSizes& sizes, planner::DevicePlan& plan) {
  if (plan.kernel.tracks_via) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("{}: intermediate vertices need each process's part in the memory of "
                            "its GPU: {}, and {} may be used; use more processes, or `device=cpu`",
                            plan.title(), base::format_bytes(plan.bytes),
                            base::format_bytes(plan.bytes_allowed)));
  }
  const std::int64_t asked =
      problem.tile > 0 ? base::rounded_up(problem.tile, sizes.granule()) : std::int64_t{0};
  const dense::TiledMatrix matrix = planner::device_matrix(plan.kernel, plan.n, plan.tile);
  const OffloadGrid grid{.problem = {.n = problem.n,
                                     .value_size = matrix.value_size,
                                     .device_memory = plan.bytes_allowed,
                                     .columns_per_value = matrix.columns_per_value},
                         .rows = place.rows,
                         .columns = place.cols,
                         .width = asked,
                         .messages = 1 / planner::byte_seconds_to_process(plan.link),
                         .pinned = plan.link.pinned};
  try {
    plan.offload = plan_streamed_part(
        grid, planner::rates_of_each(plan.rates.copies, place.of_machine), sizes);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", plan.title(), error.what()));
  }
  plan.streamed = true;
  plan.shape = dense::Shape::full;
  plan.tile = plan.offload.width;
  plan.bytes = plan.offload.device_bytes;
  plan.seconds = plan.offload.seconds;
}

planner::DevicePlan plan_part(const planner::DeviceProblem& problem,
                              const planner::DeviceFacts& device, const ProcessPlace& place,
                              const planner::Devices& devices, const planner::RateSource& rates) {
  planner::DevicePlan plan =
      planner::DevicePlan::begun(problem.kernel, problem.n, problem.memory, {devices, {device}});
  plan.shape = plan.in_bits() ? dense::Shape::full : problem.shape;
  plan.processes = place.rows * place.cols;
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  const auto sizes = devices.sizes(semiring, type, sign);
  plan.rates = planner::device_rates(plan, problem.threads, rates);
  plan.link = planner::link_rates(rates, device);
  plan.tile = planner::device_tile(problem, *sizes, false);
  plan.bytes = part_bytes(plan, *sizes, place);
  if (place.streams || plan.bytes > plan.bytes_allowed) {
    stream_part(problem, place, *sizes, plan);
    return plan;
  }
  plan.seconds = planner::resident_seconds(plan, false, plan.rates);
  return plan;
}

}  // namespace

dense::OffloadPlan plan_streamed_part(const OffloadGrid& grid, const dense::OffloadRates& rates,
                                      const kernels::DeviceSizes& sizes) {
  const std::int64_t granule = sizes.granule(), n = grid.problem.n;
  const auto stride = [&](std::int64_t columns) {
    return sizes.stride(grid.problem.values_of(columns));
  };
  dense::OffloadPlan best, least;
  const auto consider = [&](dense::OffloadPlan plan) {
    plan.buffer_values = std::max({plan.strip_rows * stride(largest_part(grid, plan.width).columns),
                                   plan.width * stride(granule), granule * stride(plan.width)});
    plan.device_bytes = bytes_for(plan, grid, sizes);
    if (least.width == 0 || plan.device_bytes < least.device_bytes) least = plan;
    if (plan.device_bytes > grid.problem.device_memory) return;
    predict_part(plan, grid, rates, sizes);
    if (best.width == 0 || plan.seconds < best.seconds) best = plan;
  };
  const std::int64_t first = grid.width > 0 ? grid.width : granule;
  const std::int64_t last =
      grid.width > 0 ? grid.width : std::max(granule, std::min(kMostWidth, n));
  for (std::int64_t width = first; width <= last; width += granule) {
    for (std::int64_t strip = granule; strip <= std::min(width, kMostStrip); strip *= 2) {
      for (const std::int64_t buffers : {3, 4, 6}) {
        consider({.width = width, .buffers = buffers, .strip_rows = strip});
      }
    }
  }
  if (best.width > 0) return best;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("a part of {} vertices on {} × {} processes that streams through a GPU "
                          "needs at least {} of its memory, and {} may be used; use more "
                          "processes, or `device=cpu`",
                          base::format_count(n), grid.rows, grid.columns,
                          base::format_bytes(least.device_bytes),
                          base::format_bytes(grid.problem.device_memory)));
}

planner::Devices own_device(const planner::DevicePreference& preference, const ProcessPlace& place,
                            const planner::FindDevices& find) {
  planner::Devices devices = find();
  const std::vector<planner::DeviceFacts> taken =
      planner::preferred_devices(devices, preference, devices.list.size());
  const auto count = static_cast<int>(taken.size()), mine = place.number % count;
  planner::DeviceFacts device =
      planner::with_free_memory(devices, taken[static_cast<std::size_t>(mine)]);
  const int sharing = place.of_machine / count + (mine < place.of_machine % count ? 1 : 0);
  device.memory_free /= std::max(1, sharing);
  devices.list = {device};
  devices.memory_free = {};  // the list has it
  return devices;
}

planner::DeviceChoice choose_process_device(const planner::DeviceProblem& problem,
                                            const planner::DevicePreference& preference,
                                            const ProcessPlace& place,
                                            const planner::FindDevices& find,
                                            const planner::RateSource& rates) {
  const bool named = preference.device == Device::cuda;
  if (preference.device == Device::cpu) return {};
  if (!named && !pays_for_driver(cpu_seconds(problem, rates), rates)) {
    return {std::nullopt, "too small for a GPU to pay"};
  }
  try {
    if (const std::string why = planner::why_not_on_cuda(problem); !why.empty()) {
      throw Error(ErrorKind::device, why);
    }
    const planner::Devices mine = own_device(preference, place, find);
    return {plan_part(problem, mine.list.front(), place, mine, rates), {}};
  } catch (const Error& error) {
    const bool refused =
        error.kind() == ErrorKind::device || error.kind() == ErrorKind::does_not_fit;
    if (named || !refused) throw;
    return {std::nullopt, error.what()};
  }
}

}  // namespace apsp::cluster
