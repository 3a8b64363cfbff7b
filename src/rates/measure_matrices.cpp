#include "rates/measure_rates.hpp"

#include <algorithm>
#include <cstring>

#include "dense/device_buffer.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/row_kernels.hpp"
#include "planner/device_plan.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::rates {
namespace {

using kernels::ComputeDevice;
using kernels::QueueId;
using kernels::View;
using planner::KernelKind;

constexpr std::int64_t kHostSizes[] = {256, 512, 1024, 1536, 2048, 3072, 4096};
/// GPUs solve up to about 2,500 vertices as one tile, so there are sizes on both sides of it.
constexpr std::int64_t kDeviceSizes[] = {512,  1024, 2048, 2496,  3072,
                                         4096, 6144, 8192, 12288, 16384};
constexpr std::int64_t kColumns = 1024;
constexpr int kSamples = 3;

/// [rows, kColumns] of 4 bytes in pinned memory, and on the device.
struct TimedBlock {
  TimedBlock(ComputeDevice& device, std::int64_t rows)
      : memory(rows * kColumns * 4),
        host{memory.data(), rows, kColumns, kColumns},
        room(device, rows * device.tiles().stride(kColumns) * 4),
        there{room.data(), rows, kColumns, device.tiles().stride(kColumns)} {
    std::memset(memory.data(), 0, static_cast<std::size_t>(memory.bytes()));
    pinned = std::make_unique<dense::PinnedMemory>(device, host, 4);
  }
  system::AlignedMemory memory;
  View host;
  dense::DeviceBuffer room;
  View there;
  std::unique_ptr<dense::PinnedMemory> pinned;
};

/// Bytes per second: in only, out only, and the sum of both at once.
void measure_copies(ComputeDevice& device, std::int64_t bytes, dense::OffloadRates& rates) {
  const std::int64_t rows = std::max<std::int64_t>(bytes / (kColumns * 4), 1);
  TimedBlock going(device, rows), coming(device, rows);
  const QueueId in = device.make_queue(), out = device.make_queue();
  device.copy_in(in, coming.there, coming.host, 4);
  device.synchronize(in);
  const auto timed = [&](bool goes, bool comes) {
    const double best = shortest(kSamples, [&] {
      if (goes) device.copy_in(in, going.there, going.host, 4);
      if (comes) device.copy_out(out, coming.host, coming.there, 4);
      device.synchronize(in);
      device.synchronize(out);
    });
    return static_cast<double>((goes + comes) * rows * kColumns * 4) / best;
  };
  rates.in = timed(true, false);
  rates.out = timed(false, true);
  rates.both = timed(true, true);
}

double pinning_seconds(ComputeDevice& device, std::int64_t bytes) {
  system::AlignedMemory fresh(bytes);
  const double seconds = shortest(1, [&] { device.pin(fresh.data(), bytes); });
  device.unpin(fresh.data());
  return seconds;
}

double copying_seconds(std::int64_t bytes) {
  system::AlignedMemory from(bytes), into(bytes);
  std::memset(from.data(), 1, static_cast<std::size_t>(bytes));
  return shortest(1 + kSamples, [&] {  // the first one touches pages
    std::memcpy(into.data(), from.data(), static_cast<std::size_t>(bytes));
  });
}

/// Seconds per kernel in a sequence of launches.
double launching_seconds(ComputeDevice& device) {
  constexpr int kLaunches = 100;
  constexpr std::int64_t kRows = 1, kCols = 64;
  const std::vector<std::int32_t> none(static_cast<std::size_t>(kRows), -1);
  dense::DeviceBuffer rows(device, kRows * kCols * 2), columns(device, kRows * 4);
  kernels::GatheredRowKernels& gathered = kernels::required(device.gathered_rows());
  const QueueId queue = device.make_queue();
  device.copy_in(queue, {columns.data(), 1, kRows, kRows}, {none.data(), 1, kRows, kRows}, 4);
  const auto launch = [&](int times) {
    for (int i = 0; i < times; ++i) {
      gathered.begin_rows(queue, {rows.data(), kRows, kCols, kCols},
                          reinterpret_cast<const std::int32_t*>(columns.data()));
    }
    device.synchronize(queue);
  };
  launch(1);
  return shortest(1, [&] { launch(kLaunches); }) / kLaunches;
}

/// Splits the time outside the device into a constant and a part for the host's bytes.
void split_the_rest(const std::vector<SizeSample>& samples, double bytes_a_pair,
                    planner::DeviceRates& rates) {
  const auto rest = [](const SizeSample& sample) {
    return std::max(0.0, sample.parts.solve - sample.parts.run);
  };
  const auto bytes = [&](const SizeSample& sample) { return sample.n * sample.n * bytes_a_pair; };
  const SizeSample &first = samples.front(), &last = samples.back();
  const double slope = samples.size() > 1
                           ? (rest(last) - rest(first)) / (bytes(last) - bytes(first))
                           : rest(last) / bytes(last);
  rates.touched = slope > 0 ? 1 / slope : 0;
  rates.beside = std::max(0.0, rest(first) - std::max(slope, 0.0) * bytes(first));
}

}  // namespace

std::optional<planner::HostRates> measure_host(const planner::RateQuery& asked,
                                               const MeasureLimits& limits) {
  const SolveOptions options = measuring_options(asked, limits);
  const SolveOne solve_one = [&](const Graph& graph) { return timed_solve({}, graph, options); };
  const std::vector<SizeSample> samples = sample_sizes(kHostSizes, asked, limits, solve_one);
  if (samples.empty()) return std::nullopt;
  planner::HostRates rates;
  rates.solve = curve(samples, &PhaseSeconds::solve);
  rates.statistics = pairs_a_second(samples);
  rates.start = samples.front().parts.prepare + kernels::cpu::seconds_of_trials();
  rates.arcs = measure_arcs(asked.kernel, samples.back().n, solve_one);
  rates.uncalibrated = false;
  return rates;
}

std::optional<planner::LinkRates> measure_link(const planner::RateQuery& asked,
                                               const MeasureLimits& limits) {
  constexpr std::int64_t kBytes = 16 << 20;
  if (limits.bytes < 2 * kBytes) return std::nullopt;
  const auto opened = limits.devices->open(asked.device.ordinal, Semiring::min_plus, ValueType::u16,
                                           kernels::Sign::non_negative, 4 * kBytes);
  const auto rate = [=](double seconds) { return static_cast<double>(kBytes) / seconds; };
  planner::LinkRates rates;
  rates.start = limits.driver_start;
  rates.pinned = rate(pinning_seconds(*opened, kBytes));
  dense::OffloadRates copies;
  measure_copies(*opened, kBytes, copies);
  rates.in = copies.in;
  rates.out = copies.out;
  rates.copied = rate(copying_seconds(kBytes));
  rates.launch = launching_seconds(*opened);
  return rates;
}

std::optional<planner::DeviceRates> measure_device(const planner::RateQuery& asked,
                                                   const MeasureLimits& limits) {
  const planner::Devices& devices = *limits.devices;
  const KernelKind& kind = asked.kernel;
  SolveOptions options = measuring_options(asked, limits);
  options.machine.device = apsp::Device::cuda;
  options.machine.device_ordinals = {asked.device.ordinal};
  const SolveOne solve_one = [&](const Graph& graph) {
    return timed_solve([&] { return devices; }, graph, options);
  };
  const std::int64_t least = limits.sizes.empty() ? kDeviceSizes[0] : limits.sizes.front();
  if (const auto warm = measuring_graph(kind, asked.shape, least)) solve_one(*warm);
  const std::vector<SizeSample> samples = sample_sizes(kDeviceSizes, asked, limits, solve_one);
  if (samples.empty()) return std::nullopt;
  planner::DeviceRates rates;
  rates.start = limits.driver_start;
  rates.run = curve(samples, &PhaseSeconds::run);
  rates.statistics = pairs_a_second(samples);
  rates.arcs = measure_arcs(kind, samples.back().n, solve_one);
  const double bytes_a_pair =
      size_of(kind.type) + (kind.tracks_via ? 4 : 0) + (kind.in_bits() ? 1.0 / 8 : 0);
  split_the_rest(samples, bytes_a_pair, rates);
  rates.copies.relaxations = rates.run.limit() * planner::relaxations(1, asked.shape);
  const auto opened = devices.open(asked.device.ordinal, kind.semiring, kind.type, kind.sign,
                                   asked.device.memory_free);
  const double largest = samples.back().n;
  constexpr double kMostBytes = 256 << 20;
  measure_copies(*opened, static_cast<std::int64_t>(std::min(kMostBytes, largest * largest * 4)),
                 rates.copies);
  rates.uncalibrated = false;
  return rates;
}

}  // namespace apsp::rates
