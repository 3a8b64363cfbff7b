#include "planner/device_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "places/device_closure.hpp"
#include "places/peer_memory.hpp"
#include "planner/device_model.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// The share of the device's free memory that a solve may use unasked: kernels are loaded and
/// queues made beside it.
constexpr double kShareOfDevice = 0.95;

[[noreturn]] void refuse_device_memory(const DeviceProblem& problem, const DevicePlan& plan,
                                       std::int64_t least) {
  throw DeviceTooSmall(
      fmt::format(
          "{} vertices as {} need at least {} of device memory on {}{}, and {} {}",
          base::format_count(problem.n), plan.in_bits() ? "bits" : name(problem.kernel.type),
          base::format_bytes(least), plan.devices() > 1 ? "each of " : "", plan.title(),
          base::format_bytes(plan.bytes_allowed), problem.memory > 0 ? "may be used" : "are free") +
          (problem.lies_on_device ? "; a copy in the host's memory needs none" : ""),
      plan.device.ordinal, least);
}

DevicePlan begun_plan(const DeviceProblem& problem, const DeviceFacts& device,
                      const Devices& devices) {
  if (const std::string why = why_not_on_cuda(problem); !why.empty()) {
    throw Error(ErrorKind::device, why);
  }
  DevicePlan plan{.device = device,
                  .kernel = problem.kernel,
                  .n = problem.n,
                  .shape = problem.shape,
                  .open = devices.open};
  plan.bytes_allowed = allowed_device_bytes(problem, device);
  return plan;
}

void plan_in_bits(const DeviceProblem& problem, const kernels::DeviceSizes& sizes,
                  DevicePlan& plan) {
  plan.bytes = places::device_closure_device_bytes(problem.n, sizes, plan.devices());
  if (plan.bytes > plan.bytes_allowed) refuse_device_memory(problem, plan, plan.bytes);
  plan.seconds = resident_seconds(plan, false, plan.rates);
}

/// The matrix passes through the memory of the GPU, or a share of it through that of each.
void stream(const DeviceProblem& problem, const kernels::DeviceSizes& sizes, DevicePlan& plan) {
  plan.shape = problem.shape;
  plan.places = 1;
  plan.tile = device_tile(problem, sizes, false);
  const places::OffloadProblem offload{.n = problem.n,
                                       .value_size = size_of(problem.kernel.type),
                                       .tracks_via = problem.kernel.tracks_via,
                                       .tile = plan.tile,
                                       .device_memory = plan.bytes_allowed,
                                       .shape = plan.shape,
                                       .devices = plan.devices()};
  const std::int64_t least = std::min(plan.bytes, least_offload_bytes(offload, sizes));
  if (least > plan.bytes_allowed) refuse_device_memory(problem, plan, least);
  plan.offload =
      places::plan_offload(offload, rates_of_each(plan.rates.copies, plan.devices()), sizes);
  plan.streamed = true;
  plan.bytes = plan.offload.device_bytes;
  plan.seconds = plan.offload.seconds;
}

}  // namespace

std::int64_t allowed_device_bytes(const DeviceProblem& problem, const DeviceFacts& device) {
  const auto usable =
      static_cast<std::int64_t>(kShareOfDevice * static_cast<double>(device.memory_free));
  return problem.memory > 0 ? std::min(problem.memory, usable) : usable;
}

double relaxations(std::int64_t n, places::Shape shape) {
  const auto side = static_cast<double>(n);
  return side * side * side / (shape == places::Shape::symmetric ? 2 : 1);
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
  // A step lasts as long as the longer of two: closing its diagonal tile, and its outer update. So
  // small matrices take small tiles. Large ones take large tiles, which need less work on panels
  // and, with via, fewer searches for pivots at the end of a product. Sizes from one H200.
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
  if (problem.kernel.in_bits()) return places::kDeviceClosureTile;
  const std::int64_t granule = sizes.granule();
  if (problem.tile > 0) return base::rounded_up(problem.tile, granule);
  const bool tracks_via = problem.kernel.tracks_via;
  const std::int64_t whole = at_once && !tracks_via ? sizes.whole_side() : 0;
  return choose_device_tile(problem.n, granule, whole, tracks_via);
}

DevicePlan plan_on_device(const DeviceProblem& problem, const DeviceFacts& device,
                          const Devices& devices, const RateSource& rates) {
  DevicePlan plan = begun_plan(problem, device, devices);
  const auto& [semiring, type, sign, tracks_via] = problem.kernel;
  const auto sizes = devices.sizes(semiring, type, sign);
  if (plan.in_bits()) plan.shape = places::Shape::full;
  plan.rates = device_rates(plan, problem.threads, rates);
  plan.tile = device_tile(problem, *sizes, true);
  if (plan.in_bits()) {
    plan_in_bits(problem, *sizes, plan);
    return plan;
  }
  const places::TiledMatrix host{
      {nullptr, problem.n, problem.n, problem.n}, size_of(type), plan.tile};
  plan.bytes = problem.lies_on_device
                   ? places::ResidentMatrix::device_bytes(*sizes, host, problem.n)
                   : places::DeviceMemory::device_bytes(*sizes, host, tracks_via);
  if (plan.bytes <= plan.bytes_allowed) {
    const bool at_once = !tracks_via && sizes->whole_side() > 0 && problem.n <= plan.tile;
    if (at_once) plan.shape = places::Shape::full;  // one tile has no half
    plan.seconds = resident_seconds(plan, at_once, plan.rates);
    return plan;
  }
  if (problem.lies_on_device) refuse_device_memory(problem, plan, plan.bytes);
  stream(problem, *sizes, plan);
  return plan;
}

DevicePlan plan_on_devices(const DeviceProblem& problem, const std::vector<DeviceFacts>& taken,
                           const Devices& devices, const RateSource& rates) {
  if (taken.size() == 1) return plan_on_device(problem, taken.front(), devices, rates);
  DevicePlan plan = begun_plan(problem, taken.front(), devices);
  for (std::size_t i = 1; i < taken.size(); ++i) {
    plan.peers.push_back(taken[i].ordinal);
    plan.bytes_allowed = std::min(plan.bytes_allowed, allowed_device_bytes(problem, taken[i]));
  }
  const bool tracks_via = problem.kernel.tracks_via;
  const ValueType type = problem.kernel.type;
  const auto sizes = devices.sizes(problem.kernel.semiring, type, problem.kernel.sign);
  const int count = plan.devices(), square = places::PeerMemory::square(count);
  const bool half = plan.shape == places::Shape::symmetric && square > 0 && !tracks_via;
  if (!half || plan.in_bits()) plan.shape = places::Shape::full;
  plan.rates = device_rates(plan, problem.threads, rates);
  plan.tile = device_tile(problem, *sizes, false);
  if (plan.in_bits()) {
    plan_in_bits(problem, *sizes, plan);
    return plan;
  }
  const places::TiledMatrix host{
      {nullptr, problem.n, problem.n, problem.n}, size_of(type), plan.tile};
  const auto bytes = [&](int rows, int columns, bool transposed) {
    return places::DeviceMemory::device_bytes(*sizes, host, tracks_via, rows, columns, transposed);
  };
  if (half) plan.places = square * square / count;
  const int columns = half ? square : places::PeerMemory::columns(count);
  plan.bytes = plan.places * bytes(half ? square : count / columns, columns, half);
  if (plan.bytes <= plan.bytes_allowed) {
    plan.seconds = resident_seconds(plan, false, plan.rates);
    return plan;
  }
  stream(problem, *sizes, plan);
  return plan;
}

}  // namespace apsp::planner
