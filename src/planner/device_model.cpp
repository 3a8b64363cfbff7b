#include "planner/device_model.hpp"

#include <algorithm>
#include <cmath>

#include "planner/value_type.hpp"

namespace apsp::planner {

namespace {

constexpr double kTera = 1e12, kGiga = 1e9;

// Figures of one H200 (bench/results/gpu.md), from which those of other devices are derived.
/// Floyd-Warshall of a large matrix as a share of the product's rate, and the cost of via.
constexpr double kShareOfProduct = 0.97, kDeviceViaCost = 1.85;
/// Closing a diagonal tile of 128 pivots and sending it to the panels, the least time of a step. A
/// step with a longer update takes `kStepExtra` in addition. Kernels are loaded at first use.
constexpr double kClosePivots = 128, kCloseSeconds = 85e-6;
constexpr double kStepExtra = 45e-6, kLoadSeconds = 0.7e-3;
constexpr double kMeeting = 100e-6;
/// The rate of copying tiles of a symmetric matrix one by one, as a share of that of rows.
constexpr double kTileByTileIn = 0.45, kTileByTileOut = 0.55;
/// A matrix that is solved in one launch (kernels/cuda/whole.cuh): pivots of a step, and the least
/// seconds of closing its diagonal tile; the remainder is updated at this share of the rate, and
/// blocks of threads wait for each other.
constexpr double kWholePivots = 64, kWholeStepSeconds = 24e-6;
constexpr double kWholeShareOfRate = 0.6, kWholeWaitSeconds = 10e-6;
/// Several GPUs of one host, bytes a second: all links to its memory (four H200), and peer memory
/// over NVLink.
constexpr double kAllIn = 172 * kGiga, kAllOut = 136 * kGiga, kOfPeer = 300 * kGiga;
/// Share of a step that hides copies: rows arrive under the first step and leave under the last
/// two.
constexpr double kHides = 0.9, kStepsOfLeaving = 2;
/// Queues and memory; first touch and pinning of a virtual machine's pages.
constexpr double kSetupSeconds = 0.01, kTouchedBytes = 2 * kGiga;

double product_rate(const KernelKind& kind) {
  if (kind.in_bits()) return 470 * kTera;  // of whole solves
  if (!is_sum(kind.semiring)) return (kind.type == ValueType::f64 ? 5.0 : 11.0) * kTera;
  // Longest paths have the instructions of signed sums, whatever the weights are.
  const bool non_negative =
      kind.sign == kernels::Sign::non_negative && kind.semiring == Semiring::min_plus;
  if (kind.type == ValueType::f64) return 5.3 * kTera;
  if (kind.type == ValueType::i32) return 17.3 * kTera;
  if (kind.type == ValueType::u16) return 34.6 * kTera;
  return (non_negative ? 17.2 : 13.5) * kTera;
}

double whole_steps_seconds(double n, const dense::OffloadRates& rates) {
  const double rest = n * n * kWholePivots / (kWholeShareOfRate * rates.relaxations);
  return std::ceil(n / kWholePivots) * std::max(kWholeStepSeconds, rest + kWholeWaitSeconds);
}

double assumed_whole_seconds(const DevicePlan& plan, const dense::OffloadRates& rates) {
  const auto n = static_cast<double>(plan.n);
  const double bytes = n * n * plan.kernel.value_bytes();
  return kLoadSeconds + whole_steps_seconds(n, rates) + bytes / rates.in + bytes / rates.out;
}

double assumed_tiled_seconds(const DevicePlan& plan, const dense::OffloadRates& rates) {
  const auto n = static_cast<double>(plan.n), tile = static_cast<double>(plan.tile);
  const double steps = std::ceil(n / tile);
  const double devices = plan.devices() * plan.processes;
  const double rest = relaxations(plan.n, plan.shape) / steps / rates.relaxations / devices;
  const double byte_seconds = plan.processes > 1 ? byte_seconds_to_process(plan.link) : 1 / kOfPeer;
  const double travels = devices > 1 ? n * tile * plan.kernel.value_bytes() * byte_seconds : 0;
  const double step =
      std::max(rest + kStepExtra, kCloseSeconds * std::ceil(tile / kClosePivots) + travels) +
      (devices > 1 ? kMeeting : 0);
  // Half of a symmetric matrix is copied in and all of it out; from several devices after the last
  // step.
  const double value = plan.in_bits() ? 1.0 / 8 : plan.kernel.value_bytes();
  const double bytes = n * n * (value + (plan.kernel.tracks_via ? 4 : 0));
  const bool full = plan.shape == dense::Shape::full;
  const double in_rate = std::min(devices * rates.in, std::max(rates.in, kAllIn));
  const double out_rate = std::min(devices * rates.out, std::max(rates.out, kAllOut));
  const bool by_rows = full || devices == 1;
  const double in =
      bytes / in_rate / (full ? 1 : 2) / (by_rows ? 1 : kTileByTileIn) - kHides * step;
  const double out = by_rows ? bytes / out_rate - kStepsOfLeaving * kHides * step
                             : bytes / out_rate / kTileByTileOut;
  return kLoadSeconds + steps * step + std::max(0.0, in) + std::max(0.0, out);
}

double share_of_one(const DevicePlan& plan, const dense::OffloadRates& rates) {
  DevicePlan one = plan;
  one.peers.clear();
  one.processes = 1;
  return assumed_tiled_seconds(plan, rates) / assumed_tiled_seconds(one, rates);
}

double host_bytes(const DevicePlan& plan) {
  const auto n = static_cast<double>(plan.n);
  const double value =
      plan.stays_in_bits ? 0 : plan.kernel.value_bytes() + (plan.kernel.tracks_via ? 4 : 0);
  return n * n * (value + (plan.in_bits() ? 1.0 / 8 : 0)) / plan.processes;
}

/// Returns assumed rates of the device and its host, without `run`.
DeviceRates assumed_device_rates(const KernelKind& kind, const DeviceFacts& device, int threads) {
  const double team = std::max(1, threads);
  return {.start = LinkRates().start,
          .setup = kSetupSeconds,
          .touched = kTouchedBytes,
          .copies = assumed_offload_rates(kind, device),
          .statistics = kAssumedPairs * team,
          .arcs = kAssumedArcs * team};
}

}  // namespace

double driver_start_seconds(const RateSource& rates) {
  const auto known = rates.any_link ? rates.any_link() : std::nullopt;
  return known.value_or(LinkRates()).start;
}

bool pays_for_driver(double seconds, const RateSource& rates) {
  return seconds >= 2 * driver_start_seconds(rates);
}

bool pays_for_driver(double seconds, const RateSource& rates, const FoundDevices& gpus) {
  return gpus.looked_for() || pays_for_driver(seconds, rates);
}

bool pays_for_all_gpus(double seconds, const RateSource& rates) {
  return seconds >= 4 * driver_start_seconds(rates);
}

LinkRates link_rates(const RateSource& rates, const DeviceFacts& device) {
  if (!rates.link) return {};
  return rates.link({.device = device, .guess = driver_start_seconds(rates)}).value_or(LinkRates());
}

double speed_relative_to_h200(const DeviceFacts& device) {
  constexpr double kAssumedOn = 132.0 * 1980;  // multiprocessors × MHz
  return static_cast<double>(device.multiprocessors) * device.clock_mhz / kAssumedOn;
}

DeviceRowRates assumed_device_row_rates(const DeviceFacts& device) {
  DeviceRowRates rates;
  for (const auto& field : DeviceRowRates::kFields)
    field.of(rates) *= speed_relative_to_h200(device);
  return rates;
}

std::optional<DeviceRowRates> device_row_rates(const RateSource& rates, const DeviceFacts& device,
                                               double guess) {
  return rates.device_rows ? rates.device_rows({.device = device, .guess = guess}) : std::nullopt;
}

double counting_seconds(const DevicePlan& plan, double pairs, const statistics::CountMethod& method,
                        ValueType type) {
  constexpr double kCounted = 5.4e11;  // pairs a second, of short integer distances
  // Factors for longer integers in 32 bits, and for all other distances.
  constexpr double kLong = 1.6, kReal = 4;
  if (!method.counts()) return 0;
  const double times = !method.binned ? 1 : is_integer(type) ? kLong : kReal;
  return pairs / kCounted * times / plan.row_rates.speed(&DeviceRowRates::swept) / plan.devices();
}

dense::OffloadRates assumed_offload_rates(const KernelKind& kind, const DeviceFacts& device) {
  return {.relaxations = product_rate(kind) * kShareOfProduct * speed_relative_to_h200(device) /
                         (kind.tracks_via ? kDeviceViaCost : 1),
          .in = 55 * kGiga,
          .out = 55 * kGiga,
          .both = 84 * kGiga};
}

dense::OffloadRates rates_of_each(const dense::OffloadRates& one, int devices) {
  const double count = devices;
  return {.relaxations = one.relaxations,
          .in = std::min(one.in, std::max(one.in, kAllIn) / count),
          .out = std::min(one.out, std::max(one.out, kAllOut) / count),
          .both = std::min(one.both, std::max(one.both, kAllIn) / count)};
}

DeviceRates device_rates(const DevicePlan& plan, int threads, const RateSource& source) {
  DeviceRates assumed = assumed_device_rates(plan.kernel, plan.device, threads);
  if (!source.device) return assumed;
  DevicePlan guessed = plan;
  guessed.rates = assumed;
  guessed.seconds = relaxations(plan.n, plan.shape) / assumed.copies.relaxations;
  const double guess = predict_on_device(guessed, 0, true).seconds;
  return source
      .device({.kernel = plan.kernel,
               .shape = plan.shape,
               .threads = threads,
               .device = plan.device,
               .guess = guess})
      .value_or(std::move(assumed));
}

double byte_seconds_to_process(const LinkRates& link) {
  return 1 / link.out + 2 / link.copied + 1 / link.in;
}

double resident_seconds(const DevicePlan& plan, bool at_once, const DeviceRates& rates) {
  if (plan.n == 0) return 0;
  const bool single = plan.peers.empty() && plan.processes == 1;
  if (!rates.run.empty()) {
    const double one = rates.run.seconds(static_cast<double>(plan.n));
    return single ? one : one * share_of_one(plan, rates.copies);
  }
  return at_once ? assumed_whole_seconds(plan, rates.copies)
                 : assumed_tiled_seconds(plan, rates.copies);
}

double closing_seconds(const DevicePlan& plan, std::int64_t n, std::int64_t at_once) {
  const dense::OffloadRates rates = assumed_offload_rates(plan.kernel, plan.device);
  const auto side = static_cast<double>(n);
  if (n <= at_once) return whole_steps_seconds(side, rates);
  return std::ceil(side / kClosePivots) * kCloseSeconds + side * side * side / rates.relaxations;
}

double front_seconds(const DevicePlan& plan, const FrontOnDevice& front) {
  constexpr double kLaunches = 14;
  constexpr double kOrders = 40e-6;     // s: waiting for queues
  constexpr double kShareOfRate = 0.6;  // of the product's, in launches of few blocks
  const dense::OffloadRates rates = assumed_offload_rates(plan.kernel, plan.device);
  const auto width = static_cast<double>(front.width), upper = static_cast<double>(front.upper);
  const auto bytes = static_cast<double>(front.bytes);
  const double square = width / (width + upper);  // of the copies: rows of the supernode
  const double panels = (front.symmetric ? 1 : 2) * width * width * upper;
  const double rest = (front.symmetric ? 0.5 : 1) * width * upper * upper;
  const double in = bytes / std::min(rates.in, plan.link.in);
  const double out = bytes / std::min(rates.out, plan.link.out);
  return kOrders + kLaunches * plan.link.launch + in * square +
         std::max(closing_seconds(plan, front.width, front.at_once), in * (1 - square)) +
         (panels + rest) / (kShareOfRate * rates.relaxations) + out;
}

Prediction predict_on_device(const DevicePlan& plan, std::int64_t arcs, bool statistics) {
  const DeviceRates& rates = plan.rates;
  const double touching = rates.touched > 0 ? host_bytes(plan) / rates.touched : 0;
  Prediction prediction =
      predict_matrix({plan.n, arcs, statistics}, rates, touching + rates.setup + plan.seconds);
  prediction.end = kDeviceEndSeconds;
  return prediction;
}

}  // namespace apsp::planner
