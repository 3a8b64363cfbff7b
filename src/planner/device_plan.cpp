#include "planner/device_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "dense/peer_memory.hpp"
#include "dense/reachable_bits.hpp"
#include "planner/dense_model.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// The share of the device's free memory that a solve may use: kernels and queues take memory too.
constexpr double kShareOfDevice = 0.95;

void refuse_matrix(const DeviceProblem& problem, std::int64_t least, DevicePlan& plan) {
  refuse_memory(
      fmt::format("{} vertices as {} need", base::format_count(problem.n), problem.kernel.values()),
      least, (plan.devices() > 1 ? "each of " : "") + plan.title(), problem.memory, plan);
  if (problem.lies_on_device) plan.too_small += "; a copy in the host's memory needs none";
}

dense::TiledMatrix matrix_of(const DeviceProblem& problem, std::int64_t tile) {
  const std::int64_t n = problem.n;
  if (problem.kernel.in_bits()) return dense::bit_tiling(nullptr, n, n);
  return {{nullptr, n, n, n}, problem.kernel.value_bytes(), tile};
}

void stream(const DeviceProblem& problem, const kernels::DeviceSizes& sizes, DevicePlan& plan) {
  plan.shape = plan.in_bits() ? dense::Shape::full : problem.shape;
  plan.places = 1;
  plan.tile = device_tile(problem, sizes, false);
  const dense::TiledMatrix matrix = matrix_of(problem, plan.tile);
  const dense::OffloadProblem offload{.n = problem.n,
                                      .value_size = matrix.value_size,
                                      .tracks_via = problem.kernel.tracks_via,
                                      .tile = plan.tile,
                                      .device_memory = plan.bytes_allowed,
                                      .shape = plan.shape,
                                      .devices = plan.devices(),
                                      .columns_per_value = matrix.columns_per_value};
  const std::int64_t least = std::min(plan.bytes, least_offload_bytes(offload, sizes));
  if (least > plan.bytes_allowed) return refuse_matrix(problem, least, plan);
  plan.offload =
      dense::plan_offload(offload, rates_of_each(plan.rates.copies, plan.devices()), sizes);
  plan.streamed = true;
  plan.bytes = plan.offload.device_bytes;
  plan.seconds = plan.offload.seconds;
}

/// Bytes of each device if the matrix is resident in all of them together. `half`: one triangle of
/// a symmetric matrix.
std::int64_t resident_bytes(const DeviceProblem& problem, const kernels::DeviceSizes& sizes,
                            bool half, const DevicePlan& plan) {
  const bool tracks_via = problem.kernel.tracks_via;
  const dense::TiledMatrix host = matrix_of(problem, plan.tile);
  if (problem.lies_on_device) return dense::ResidentMatrix::device_bytes(sizes, host, problem.n);
  const int count = plan.devices(), square = plan.square();
  if (count == 1) return dense::DeviceMemory::device_bytes(sizes, host, tracks_via);
  const int columns = half ? square : dense::PeerMemory::columns(count);
  return plan.places * dense::DeviceMemory::device_bytes(
                           sizes, host, tracks_via, half ? square : count / columns, columns, half);
}

/// Returns what is wrong with a preference; empty: nothing.
std::string why_wrong(const DevicePreference& preference) {
  const std::vector<int>& ordinals = preference.ordinals;
  if (ordinals.empty()) return {};
  if (preference.device != Device::cuda) return "numbers of GPUs are only for `device=cuda`";
  for (auto at = ordinals.begin(); at != ordinals.end(); ++at) {
    if (std::find(ordinals.begin(), at, *at) != at) {
      return fmt::format("`device` names cuda:{} twice", *at);
    }
    if (*at < 0 && !(*at == kAllGpus && ordinals.size() == 1)) {
      return "GPUs are counted from 0: `device=cuda:0` is the first";
    }
  }
  return {};
}

void check(const DevicePreference& preference) {
  const std::string why = why_wrong(preference);
  if (!why.empty()) throw Error(ErrorKind::usage, why);
}

std::string ask_for_memory(const Devices& devices, std::vector<DeviceFacts>& list) {
  try {
    for (DeviceFacts& device : list) device = with_free_memory(devices, device);
    return {};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device) throw;
    return error.what();
  }
}

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

double device_seconds(const DevicePlan& plan) { return predict_on_device(plan, 0, false).solve; }

/// Returns the plan of one GPU, or of all if they save more than opening them costs.
DevicePlan on_all_if_faster(const DeviceProblem& problem, const Devices& devices,
                            const RateSource& rates, DevicePlan plan) {
  constexpr double kShare = 0.8;
  const double least = 4 * driver_start_seconds(rates);
  const double one = device_seconds(plan);
  const bool alike = std::all_of(devices.list.begin(), devices.list.end(), [&](const auto& facts) {
    return facts.name == devices.list.front().name;
  });
  if (devices.list.size() < 2 || !alike || one < least) return plan;
  std::vector<DeviceFacts> list = devices.list;
  if (!ask_for_memory(devices, list).empty()) return plan;
  DevicePlan all = plan_on_devices(problem, list, devices, rates);
  return all.fits() && device_seconds(all) < kShare * one ? all : plan;
}

DeviceChoice choose_automatically(const DeviceProblem& problem, const FindDevices& find,
                                  const RateSource& rates) {
  if (!why_not_on_cuda(problem).empty()) {
    const bool reachability = problem.kernel.semiring == Semiring::or_and;
    return {std::nullopt, reachability ? "reachability with intermediate vertices needs the CPU"
                                       : "integer sums of this size and sign need the CPU"};
  }
  const double on_cpu = cpu_seconds(problem, rates);
  if (on_cpu < 2 * driver_start_seconds(rates)) return {std::nullopt, "too small for a GPU to pay"};
  const Devices devices = find();
  if (devices.list.empty()) return {std::nullopt, devices.why_none};
  std::vector<DeviceFacts> first = {devices.list.front()};
  if (std::string why = ask_for_memory(devices, first); !why.empty()) {
    return {std::nullopt, std::move(why)};
  }
  DevicePlan plan = plan_on_devices(problem, first, devices, rates);
  if (!plan.fits()) return {std::nullopt, "the GPU has too little free memory"};
  plan = on_all_if_faster(problem, devices, rates, std::move(plan));
  if (device_seconds(plan) >= on_cpu) return {std::nullopt, "as fast as the GPU with its copies"};
  return {.cuda = std::move(plan), .why = {}, .cpu_seconds = on_cpu};
}

}  // namespace

std::int64_t allowed_device_bytes(std::int64_t memory, const DeviceFacts& device) {
  const auto usable =
      static_cast<std::int64_t>(kShareOfDevice * static_cast<double>(device.memory_free));
  return memory > 0 ? std::min(memory, usable) : usable;
}

std::int64_t allowed_device_bytes(std::int64_t memory, std::span<const DeviceFacts> devices) {
  std::int64_t allowed = allowed_device_bytes(memory, devices.front());
  for (const DeviceFacts& device : devices.subspan(1)) {
    allowed = std::min(allowed, allowed_device_bytes(memory, device));
  }
  return allowed;
}

DevicePlan begun_plan(const KernelKind& kernel, std::int64_t n, std::int64_t memory,
                      const NamedDevice& there) {
  const std::span taken(there.taken);
  DevicePlan plan{.device = taken.front(), .kernel = kernel, .n = n, .open = there.devices.open};
  plan.bytes_allowed = allowed_device_bytes(memory, taken);
  for (const DeviceFacts& peer : taken.subspan(1)) plan.peers.push_back(peer.ordinal);
  plan.link = there.link;
  plan.row_rates = there.row_rates.value_or(assumed_device_row_rates(plan.device));
  return plan;
}

void refuse_memory(const std::string& needing, std::int64_t least, const std::string& of,
                   std::int64_t memory, DevicePlan& plan) {
  plan.bytes = least;
  plan.too_small = fmt::format(
      "{} at least {} of device memory on {}, and {} {}", needing, base::format_bytes(least), of,
      base::format_bytes(plan.bytes_allowed), memory > 0 ? "may be used" : "are free");
}

DevicePlan require_fitting(DevicePlan plan) {
  if (plan.fits()) return plan;
  throw Error(ErrorKind::does_not_fit, plan.too_small);
}

std::string why_not_on_cuda(const DeviceProblem& problem) {
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  if (semiring == Semiring::or_and && tracks_via) {
    return "reachability with intermediate vertices is solved only on the CPU; use `device=cpu`";
  }
  // If sums may fall below "no path", kernels distinguish paths at half of that
  // (kernels/cuda/relaxation.cuh).
  constexpr double kSignedLimit = 1 << 28;
  const bool is_signed = sign == kernels::Sign::any || semiring == Semiring::max_plus;
  if (type == ValueType::i32 && is_sum(semiring) && is_signed &&
      problem.distance_bound >= kSignedLimit) {
    return fmt::format(
        "distances of this graph may reach {:.15g}, and the CUDA engine sums signed "
        "integers below {:.15g} only; use `value_type=f64`, or `device=cpu`",
        problem.distance_bound, kSignedLimit);
  }
  return {};
}

std::int64_t choose_device_tile(std::int64_t n, std::int64_t granule, std::int64_t whole,
                                bool tracks_via) {
  // A step lasts as long as the longer of two: closing its diagonal tile, and its outer update. So
  // small matrices take small tiles. Large tiles need less work on panels and, with via, fewer
  // searches for pivots after a product. Sizes from one H200.
  constexpr std::int64_t kMedium = 3000, kLarge = 6000, kLargeWithVia = 3500;
  std::int64_t tile = n < kMedium ? 128 : n < kLarge ? 256 : 512;
  if (tracks_via) {
    if (n >= kLargeWithVia) tile = 512;
  } else if (whole > 0 && n <= whole) {
    tile = std::max<std::int64_t>(n, 1);
  }
  return base::rounded_up(tile, granule);
}

std::int64_t device_tile(const DeviceProblem& problem, const kernels::DeviceSizes& sizes,
                         bool at_once) {
  if (problem.kernel.in_bits()) return dense::kDeviceClosureTile;
  const std::int64_t granule = sizes.granule();
  if (problem.tile > 0) return base::rounded_up(problem.tile, granule);
  const bool tracks_via = problem.kernel.tracks_via;
  const std::int64_t whole = at_once && !tracks_via ? sizes.whole_side() : 0;
  return choose_device_tile(problem.n, granule, whole, tracks_via);
}

DevicePlan plan_on_devices(const DeviceProblem& problem, const std::vector<DeviceFacts>& taken,
                           const Devices& devices, const RateSource& rates) {
  if (const std::string why = why_not_on_cuda(problem); !why.empty()) {
    throw Error(ErrorKind::device, why);
  }
  DevicePlan plan = begun_plan(problem.kernel, problem.n, problem.memory, {devices, taken});
  plan.stays_in_bits = problem.stays_in_bits;
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  const auto sizes = devices.sizes(semiring, type, sign);
  const bool alone = plan.devices() == 1;
  const int square = plan.square();
  const bool may_halve = alone || (square > 0 && !tracks_via);
  const bool half = problem.shape == dense::Shape::symmetric && may_halve && !plan.in_bits();
  if (half) plan.shape = dense::Shape::symmetric;
  if (half && !alone) plan.places = square * square / plan.devices();
  plan.rates = device_rates(plan, problem.threads, rates);
  plan.tile = device_tile(problem, *sizes, alone);
  plan.bytes = resident_bytes(problem, *sizes, half, plan);
  if (plan.bytes <= plan.bytes_allowed) {
    const bool at_once = alone && !plan.in_bits() && !tracks_via && sizes->whole_side() > 0 &&
                         problem.n <= plan.tile;
    if (at_once) plan.shape = dense::Shape::full;
    plan.seconds = resident_seconds(plan, at_once, plan.rates);
    return plan;
  }
  if (problem.lies_on_device) {
    refuse_matrix(problem, plan.bytes, plan);
  } else {
    stream(problem, *sizes, plan);
  }
  return plan;
}

double cpu_seconds(const DeviceProblem& problem, const RateSource& rates) {
  return host_rates(rates, problem.kernel, problem.shape, problem.threads, problem.n)
      .solve.seconds(static_cast<double>(problem.n));
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

NamedDevice find_named_device(const DevicePreference& preference, const FindDevices& find,
                              const RateSource& rates) {
  check(preference);
  NamedDevice device{find(), {}};
  device.why_none = take_preferred(device.devices, preference, 1, device.taken);
  if (device.why_none.empty()) device.why_none = ask_for_memory(device.devices, device.taken);
  if (!device.why_none.empty()) {
    device.taken.clear();
  } else {
    device.link = link_rates(rates, device.taken.front());
    device.row_rates = device_row_rates(rates, device.taken.front(), 0);
    device.sample = rates.sample_on_device;
  }
  return device;
}

NamedDevice named_device(const DevicePreference& preference, const FindDevices& find,
                         const RateSource& rates) {
  NamedDevice device = find_named_device(preference, find, rates);
  if (!device.why_none.empty()) throw Error(ErrorKind::device, device.why_none);
  return device;
}

DeviceChoice try_device(const DeviceProblem& problem, const DevicePreference& preference,
                        const FindDevices& find, const RateSource& rates) {
  check(preference);
  if (preference.device == Device::cpu) return {};
  if (preference.device == Device::automatic) return choose_automatically(problem, find, rates);
  std::string why = why_not_on_cuda(problem);
  if (!why.empty()) return {std::nullopt, std::move(why), true};
  NamedDevice device = find_named_device(preference, find);
  if (device.taken.empty()) return {std::nullopt, std::move(device.why_none), true};
  return {plan_on_devices(problem, device.taken, device.devices, rates), {}};
}

}  // namespace apsp::planner
