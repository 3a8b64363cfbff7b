#include "planner/device_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "algorithms/device_closure.hpp"
#include "algorithms/device_memory.hpp"
#include "base/units.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// Of the device's free memory, this part may be used without asking: kernels are loaded and
/// queues made beside it.
constexpr double kShareOfFree = 0.95;
/// A step ends no sooner than its diagonal tile is closed and has reached the panels; of 128 pivots
/// (n = 1,024 on an H200, docs/performance.md). Where the rest takes longer than that, this is what
/// the step takes besides. Kernels are loaded when they are first used.
constexpr double kClosePivots = 128, kCloseSeconds = 85e-6;
constexpr double kBesideTheRest = 45e-6, kLoadSeconds = 0.7e-3;
/// A matrix that is solved whole, in one launch (kernels/cuda/whole.cuh): steps of so many pivots;
/// a step ends no sooner than its diagonal tile is closed, or than the rest is updated, at this
/// share of the rate, and the blocks of threads have waited for each other.
constexpr double kWholePivots = 64, kWholeStepSeconds = 24e-6;
constexpr double kWholeShareOfRate = 0.6, kWholeWaitSeconds = 10e-6;
/// Of a step, what a copy hides under: rows come under the first one and leave under the last.
constexpr double kHides = 0.9;

double whole_seconds(const DevicePlan& plan, const OffloadRates& rates) {
  const auto n = static_cast<double>(plan.n);
  const double rest = n * n * kWholePivots / (kWholeShareOfRate * rates.relaxations);
  const double step = std::max(kWholeStepSeconds, rest + kWholeWaitSeconds);
  const double bytes = n * n * size_of(plan.kernel.type);
  const double solve = std::ceil(n / kWholePivots) * step;
  return kLoadSeconds + solve + bytes / rates.in + bytes / rates.out;
}

double resident_seconds(const DevicePlan& plan, const OffloadRates& rates) {
  if (plan.n == 0) return 0;
  const auto n = static_cast<double>(plan.n), tile = static_cast<double>(plan.tile);
  const double steps = std::ceil(n / tile);
  const double rest = relaxations(plan.n, plan.shape) / steps / rates.relaxations;
  const double step =
      std::max(rest + kBesideTheRest, kCloseSeconds * std::ceil(tile / kClosePivots));
  // Of a symmetric matrix half comes in, and the whole leaves after the last step.
  const double value = plan.in_bits() ? 1.0 / 8 : size_of(plan.kernel.type);
  const double bytes = n * n * (value + (plan.kernel.tracks_via ? 4 : 0));
  const bool full = plan.shape == Shape::full;
  const double in = bytes / rates.in / (full ? 1 : 2) - kHides * step;
  const double out = bytes / rates.out - (full ? kHides * step : 0);
  return kLoadSeconds + steps * step + std::max(0.0, in) + std::max(0.0, out);
}

[[noreturn]] void does_not_fit(const DeviceProblem& problem, const DevicePlan& plan,
                               std::int64_t least) {
  const bool capped = problem.memory > 0;
  const std::string_view what = plan.in_bits() ? "bits" : name(problem.kernel.type);
  throw Error(ErrorKind::does_not_fit,
              fmt::format("{} vertices as {} need at least {} of device memory on {}, and {} {}; "
                          "--device-memory {} would let this graph in{}, and --device cpu needs "
                          "none",
                          base::format_count(problem.n), what, base::format_bytes(least),
                          title(plan.device), base::format_bytes(plan.bytes_allowed),
                          capped ? "may be used" : "are free", option_size(least),
                          capped ? "" : " once so much is free"));
}

void plan_in_bits(const DeviceProblem& problem, const kernels::Device& sizes,
                  const OffloadRates& rates, DevicePlan& plan) {
  plan.shape = Shape::full;
  plan.tile = kDeviceClosureTile;
  plan.bytes = device_closure_device_bytes(problem.n, sizes);
  if (plan.bytes > plan.bytes_allowed) does_not_fit(problem, plan, plan.bytes);
  plan.seconds = resident_seconds(plan, rates);
}

}  // namespace

double relaxations(std::int64_t n, Shape shape) {
  const auto side = static_cast<double>(n);
  return side * side * side / (shape == Shape::symmetric ? 2 : 1);
}

std::string why_not_on_cuda(const DeviceProblem& problem) {
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  if (semiring == Semiring::or_and && tracks_via) {
    return "reachability with intermediate vertices is solved on the CPU alone; use --device cpu";
  }
  // Where sums may fall below "no path" the kernels tell paths from none at half of that
  // (kernels/cuda/relaxation.cuh).
  constexpr double kSignedLimit = 1 << 28;
  const bool is_signed = sign == kernels::Sign::any || semiring == Semiring::max_plus;
  if (type == ValueType::i32 && is_sum(semiring) && is_signed &&
      problem.distance_bound >= kSignedLimit) {
    return fmt::format(
        "distances of this graph may reach {:.15g}, and the CUDA engine sums signed "
        "integers below {:.15g} only; use --dtype f64, or --device cpu",
        problem.distance_bound, kSignedLimit);
  }
  return {};
}

std::int64_t choose_device_tile(std::int64_t n, std::int64_t granule, std::int64_t whole,
                                bool tracks_via) {
  // A step lasts as long as closing its diagonal tile, or as its outer update: small tiles for
  // small matrices, large ones where the panels' work would show; or, with via, where looking for
  // the pivots at the end of a product would (one H200).
  constexpr std::int64_t kMedium = 6000, kLarge = 12000, kLargeWithVia = 3500;
  std::int64_t tile = n < kMedium ? 128 : n < kLarge ? 256 : 512;
  if (tracks_via) {
    if (n >= kLargeWithVia) tile = 512;
  } else if (whole > 0 && n <= whole) {
    tile = std::max<std::int64_t>(n, 1);
  }
  return (tile + granule - 1) / granule * granule;
}

DevicePlan plan_on_device(const DeviceProblem& problem, const DeviceFacts& device,
                          const Devices::Open& open) {
  if (const std::string why = why_not_on_cuda(problem); !why.empty()) {
    throw Error(ErrorKind::device, why);
  }
  const auto usable =
      static_cast<std::int64_t>(kShareOfFree * static_cast<double>(device.memory_free));
  DevicePlan plan{.device = device,
                  .kernel = problem.kernel,
                  .n = problem.n,
                  .shape = problem.shape,
                  .open = open};
  plan.bytes_allowed = problem.memory > 0 ? std::min(problem.memory, usable) : usable;
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  const auto sizes = open(device.ordinal, semiring, type, sign, plan.bytes_allowed);
  const OffloadRates rates = device_rates(problem.kernel, device);
  if (plan.in_bits()) {
    plan_in_bits(problem, *sizes, rates, plan);
    return plan;
  }
  const std::int64_t granule = sizes->granule();
  const auto tile = [&, with_via = tracks_via](std::int64_t whole) {
    return problem.tile > 0 ? (problem.tile + granule - 1) / granule * granule
                            : choose_device_tile(problem.n, granule, whole, with_via);
  };
  const std::int64_t whole = tracks_via ? 0 : sizes->whole_side();
  plan.tile = tile(whole);

  const Tiling host{{nullptr, problem.n, problem.n, problem.n}, size_of(type), plan.tile};
  plan.bytes = DeviceMemory::device_bytes(*sizes, host, tracks_via);
  if (plan.bytes <= plan.bytes_allowed) {
    const bool at_once = whole > 0 && problem.n <= plan.tile;
    if (at_once) plan.shape = Shape::full;  // one tile has no half
    plan.seconds = at_once ? whole_seconds(plan, rates) : resident_seconds(plan, rates);
    return plan;
  }
  plan.tile = tile(0);
  const OffloadProblem offload{.n = problem.n,
                               .value_size = size_of(type),
                               .tracks_via = tracks_via,
                               .tile = plan.tile,
                               .device_memory = plan.bytes_allowed};
  const std::int64_t least = std::min(plan.bytes, least_offload_bytes(offload, *sizes));
  if (least > plan.bytes_allowed) does_not_fit(problem, plan, least);
  plan.offload = plan_offload(offload, rates, *sizes);
  plan.streamed = true;
  plan.shape = Shape::full;  // streamed_memory.hpp
  plan.bytes = plan.offload.device_bytes;
  plan.seconds = plan.offload.seconds;
  return plan;
}

}  // namespace apsp::planner
