#include "planner/device_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "dense/peer_memory.hpp"
#include "dense/reachable_bits.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_model.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

void refuse_matrix(const DeviceProblem& problem, std::int64_t least, DevicePlan& plan) {
  plan.refuse(
      fmt::format("{} vertices as {} need", base::format_count(problem.n), problem.kernel.values()),
      least);
  if (problem.lies_on_device) plan.too_small += "; a copy in the host's memory needs none";
}

void stream(const DeviceProblem& problem, const kernels::DeviceSizes& sizes, DevicePlan& plan) {
  plan.shape = plan.in_bits() ? dense::Shape::full : problem.shape;
  plan.places = 1;
  plan.tile = device_tile(problem, sizes, false);
  const dense::TiledMatrix matrix = device_matrix(problem.kernel, problem.n, plan.tile);
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
  const dense::TiledMatrix host = device_matrix(problem.kernel, problem.n, plan.tile);
  if (problem.lies_on_device) return dense::ResidentMatrix::device_bytes(sizes, host, problem.n);
  const int count = plan.devices(), square = plan.square();
  if (count == 1) return dense::DeviceMemory::device_bytes(sizes, host, tracks_via);
  const int columns = half ? square : dense::PeerMemory::columns(count);
  return plan.places * dense::DeviceMemory::device_bytes(
                           sizes, host, tracks_via, half ? square : count / columns, columns, half);
}

double device_seconds(const DevicePlan& plan) { return predict_on_device(plan, 0, false).solve; }

/// Returns the plan of one GPU, or of all if they save more than opening them costs.
DevicePlan on_all_if_faster(const DeviceProblem& problem, const FoundDevices& gpus,
                            const RateSource& rates, DevicePlan plan) {
  constexpr double kShare = 0.8;
  const double one = device_seconds(plan);
  if (!gpus.all().several_alike() || !pays_for_all_gpus(one, rates)) return plan;
  const NamedDevice& every = gpus.named({Device::cuda, {kAllGpus}});
  if (every.taken.empty()) return plan;
  DevicePlan all = plan_on_devices(problem, every.taken, every.devices, rates);
  return all.fits() && device_seconds(all) < kShare * one ? all : plan;
}

DeviceChoice choose_automatically(const DeviceProblem& problem, const FoundDevices& gpus,
                                  const RateSource& rates) {
  if (!why_not_on_cuda(problem).empty()) {
    const bool reachability = problem.kernel.semiring == Semiring::or_and;
    return {std::nullopt, reachability ? "reachability with intermediate vertices needs the CPU"
                                       : "integer sums of this size and sign need the CPU"};
  }
  const double on_cpu = cpu_seconds(problem, rates);
  if (!pays_for_driver(on_cpu, rates, gpus)) return {std::nullopt, "too small for a GPU to pay"};
  if (gpus.all().list.empty()) return {std::nullopt, gpus.all().why_none};
  const NamedDevice& first = gpus.named({});
  if (first.taken.empty()) return {std::nullopt, first.why_none};
  DevicePlan plan = plan_on_devices(problem, first.taken, first.devices, rates);
  if (!plan.fits()) return {std::nullopt, "the GPU has too little free memory"};
  plan = on_all_if_faster(problem, gpus, rates, std::move(plan));
  if (device_seconds(plan) >= on_cpu) return {std::nullopt, "as fast as the GPU with its copies"};
  return {.cuda = std::move(plan), .why = {}, .cpu_seconds = on_cpu};
}

}  // namespace

DeviceProblem device_problem(const Problem& problem, const SolveOptions& options) {
  return {.n = problem.n,
          .kernel = problem.kernel(),
          .shape = problem.shape,
          .distance_bound = problem.distance_bound,
          .tile = options.method.tile,
          .memory = options.machine.device_memory,
          .threads = problem.threads};
}

dense::TiledMatrix device_matrix(const KernelKind& kernel, std::int64_t n, std::int64_t tile) {
  if (kernel.in_bits()) return dense::bit_tiling(nullptr, n, n);
  return {{nullptr, n, n, n}, kernel.value_bytes(), tile};
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
  const double limit = device_sum_limit(semiring, type, sign);
  if (problem.distance_bound >= limit) {
    return fmt::format(
        "distances of this graph may reach {:.15g}, and the CUDA engine sums signed "
        "integers below {:.15g} only; use `value_type=f64`, or `device=cpu`",
        problem.distance_bound, limit);
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
  DevicePlan plan = DevicePlan::begun(problem.kernel, problem.n, problem.memory, {devices, taken});
  plan.stays_in_bits = problem.stays_in_bits;
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  const auto sizes = devices.sizes(semiring, type, sign);
  const bool single = plan.devices() == 1;
  const int square = plan.square();
  const bool may_halve = single || (square > 0 && !tracks_via);
  const bool half = problem.shape == dense::Shape::symmetric && may_halve && !plan.in_bits();
  if (half) plan.shape = dense::Shape::symmetric;
  if (half && !single) plan.places = square * square / plan.devices();
  plan.rates = device_rates(plan, problem.threads, rates);
  plan.tile = device_tile(problem, *sizes, single);
  plan.bytes = resident_bytes(problem, *sizes, half, plan);
  if (plan.bytes <= plan.bytes_allowed) {
    const bool at_once = single && !plan.in_bits() && !tracks_via && sizes->whole_side() > 0 &&
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

void put_matrix(DeviceChoice choice, Plan& plan) {
  plan.why.device = std::move(choice.why);
  plan.why.cpu_seconds = choice.cpu_seconds;
  if (!choice.cuda) return;
  plan.method = DensePlan{choice.cuda->tile};
  plan.shape = choice.cuda->shape;
  plan.on_device = std::move(choice.cuda);
}

DeviceChoice try_device(const DeviceProblem& problem, const DevicePreference& preference,
                        const FoundDevices& gpus, const RateSource& rates) {
  check(preference);
  if (preference.device == Device::cpu) return {};
  if (preference.device == Device::automatic) return choose_automatically(problem, gpus, rates);
  std::string why = why_not_on_cuda(problem);
  if (!why.empty()) return {std::nullopt, std::move(why), true};
  const NamedDevice& named = gpus.named(preference);
  if (named.taken.empty()) return {std::nullopt, named.why_none, true};
  return {plan_on_devices(problem, named.taken, named.devices, rates), {}};
}

}  // namespace apsp::planner
