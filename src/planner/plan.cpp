#include "planner/plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "algorithms/device_closure.hpp"
#include "algorithms/transitive_closure.hpp"
#include "base/machine.hpp"
#include "base/units.hpp"
#include "kernels/cpu/bit_matrix.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// Chunks of a .zarr: 1024² values are 2 to 8 MiB, large enough to stream, small enough to fetch.
constexpr std::int64_t kChunk = 1024;
/// Packed panels and stacks, a thread.
constexpr std::int64_t kBytesAThread = std::int64_t{4} << 20;
/// Of the memory that is free, this part may be used without asking.
constexpr double kShareOfFree = 0.9;

std::int64_t graph_bytes(const Graph& graph) {
  return graph.vertex_count() * 8 + graph.arc_count() * 12;
}

kernels::TileOperations operations_of(const Plan& plan) {
  return kernels::cpu::operations(plan.kernel_semiring(), plan.type, plan.sign);
}

/// A potential a vertex, and up to 16 rows of doubles that are checked (bellman_check.hpp). Finding
/// them takes no more, and is over before the matrix is claimed.
std::int64_t signed_bytes(const Plan& plan) {
  constexpr std::int64_t kBytesAVertex = 16 + 16 * 8;
  return plan.signed_weights ? plan.n * kBytesAVertex : 0;
}

/// Besides the matrix.
std::int64_t working_bytes(const Plan& plan) {
  if (plan.on_device) return plan.in_bits() ? device_closure_host_bytes(plan.n) : 0;
  if (plan.in_bits()) return transitive_closure_bytes(plan.n);
  const kernels::Tile matrix{nullptr, plan.n, plan.n, plan.n};
  return OneMemory::panel_bytes({matrix, size_of(plan.type), plan.tile}, operations_of(plan));
}

std::int64_t bytes_needed(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  const ValueType type = plan.type;
  const std::int64_t n = graph.vertex_count();
  std::int64_t a_pair = size_of(type);
  if (options.predecessors && options.output.empty()) a_pair += 4;
  if (options.via || options.hops) a_pair += 4;
  if (options.hops) a_pair += 4;
  return n * n * a_pair + working_bytes(plan) + graph_bytes(graph) + signed_bytes(plan) +
         plan.threads * kBytesAThread;
}

[[noreturn]] void does_not_fit(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  std::string ways;
  Plan narrow = plan;
  narrow.type = choose_value_type(graph, plan.semiring, {});
  if (size_of(narrow.type) < size_of(plan.type) &&
      bytes_needed(graph, options, narrow) <= plan.bytes_allowed) {
    ways = fmt::format(" --dtype {} would fit.", name(narrow.type));
  }
  const double a_vertex_pair = size_of(plan.type);
  const auto largest =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(plan.bytes_allowed) / a_vertex_pair));
  throw Error(ErrorKind::does_not_fit,
              fmt::format("{} vertices need {} as {} and {} may be used.{} This memory is enough "
                          "for about {} vertices; --memory {} would let this graph in.",
                          base::format_count(plan.n), base::format_bytes(plan.bytes),
                          name(plan.type), base::format_bytes(plan.bytes_allowed), ways,
                          base::format_count(largest), option_size(plan.bytes)));
}

}  // namespace

double Plan::relaxations() const { return planner::relaxations(n, shape); }

std::int64_t choose_tile(std::int64_t n, int threads, const kernels::TileOperations& operations) {
  // Multiples of 48 suit the register tile's 6 rows and its vectors. A strip of a panel takes at
  // most 256 bytes a step, and should stay in the first-level cache; packed panels should stay
  // below 5 % of a large matrix; and in a small one each thread should have several tiles of a
  // panel.
  constexpr std::int64_t kStep = 48;
  constexpr std::int64_t kLargest = 192;
  constexpr std::int64_t kStripBytes = 256;
  constexpr std::int64_t kLargeMatrix = 8192;
  const std::int64_t of_cache = base::level1_cache_bytes() / kStripBytes / kStep * kStep;
  const std::int64_t of_threads =
      (n / (std::int64_t{4} * std::max(1, threads)) + kStep - 1) / kStep * kStep;
  std::int64_t tile = std::clamp(std::min(of_cache, of_threads), kStep, kLargest);
  const auto panels = [&] {
    const kernels::Tile matrix{nullptr, n, n, n};
    return OneMemory::panel_bytes({matrix, operations.value_size, tile}, operations);
  };
  while (n > kLargeMatrix && tile > 2 * kStep && panels() > n * n * operations.value_size / 20) {
    tile -= kStep;
  }
  return tile;
}

namespace {

void check(const SolveOptions& options) {
  if (options.tile < 0 || options.threads < 0 || options.memory < 0 || options.device_memory < 0) {
    throw Error(ErrorKind::usage, "tile, threads and memory must not be negative");
  }
}

/// Potentials decide between f32 and f64 where it is left open.
void plan_signed_weights(const Graph& graph, const SolveOptions& options, Plan& plan) {
  if (!sums_may_cancel(graph, plan.semiring, plan.type)) return;
  const auto weights = reduce_weights(graph, plan.semiring, plan.threads, options.control);
  if (!weights->potentials.cycle) {
    if (!options.value_type && plan.type == ValueType::f32 && too_coarse_in_f32(graph, *weights)) {
      plan.type = ValueType::f64;
    }
    set_bound(graph, plan.type, *weights);
  }
  plan.signed_weights = weights;
  plan.sign = kernels::Sign::non_negative;
}

void choose_place(const SolveOptions& options, const FindDevices& find, const RateSource& rates,
                  Plan& plan) {
  DeviceChoice choice =
      choose_device({.n = plan.n,
                     .kernel = {plan.kernel_semiring(), plan.type, plan.sign, plan.with_via},
                     .shape = plan.shape,
                     .distance_bound = plan.distance_bound,
                     .tile = options.tile,
                     .memory = options.device_memory,
                     .threads = plan.threads},
                    {options.device, options.device_ordinals}, find, rates);
  plan.why_device = std::move(choice.why);
  plan.on_device = std::move(choice.cuda);
  if (plan.on_device) {
    plan.device = Device::cuda;
    plan.tile = plan.on_device->tile;
    plan.shape = plan.on_device->shape;
    return;
  }
  plan.tile =
      options.tile > 0 ? options.tile : choose_tile(plan.n, plan.threads, operations_of(plan));
  if (!plan.in_bits()) return;
  plan.tile = kernels::cpu::BitLine::kColumns;
  plan.shape = Shape::full;
}

}  // namespace

Plan make_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates) {
  check(options);
  Plan plan;
  plan.semiring = options.semiring;
  plan.n = graph.vertex_count();
  plan.threads = base::thread_count(options.threads);
  plan.type = choose_value_type(graph, plan.semiring, options.value_type);
  plan.distance_bound = distance_bound(graph, plan.semiring);
  plan.sign = graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
  plan_signed_weights(graph, options, plan);
  plan.why_type = why_value_type(graph.weight_facts(), options.value_type.has_value(), plan.type);
  plan.unit_roundoff = unit_roundoff(graph, plan.semiring, plan.type);
  plan.shape = graph.symmetric() ? Shape::symmetric : Shape::full;
  plan.chunk = options.tile > 0 ? options.tile : kChunk;
  plan.with_via = options.via || options.hops;
  choose_place(options, find, rates, plan);
  plan.bytes = bytes_needed(graph, options, plan);
  plan.bytes_allowed =
      options.memory > 0
          ? options.memory
          : static_cast<std::int64_t>(kShareOfFree * static_cast<double>(base::available_memory()));
  if (plan.bytes > plan.bytes_allowed) does_not_fit(graph, options, plan);
  plan.predicted = predict(plan, graph.arc_count(), options, rates);
  return plan;
}

}  // namespace apsp::planner
