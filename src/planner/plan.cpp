#include "planner/plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/machine.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "graph/components.hpp"
#include "kernels/cpu/bits.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/algorithm_choice.hpp"
#include "planner/estimates.hpp"
#include "planner/fitting.hpp"
#include "planner/memory.hpp"
#include "planner/order_guess.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "planner/rows_choice.hpp"
#include "planner/value_type.hpp"
#include "store/disk_use.hpp"
#include "store/store.hpp"

namespace apsp::planner {
namespace {

/// What some rows or columns alone cannot have beside them.
void check_selection(const SolveOptions& options, const Plan& plan) {
  store::require_distinct(plan.selection.sources, plan.n, "sources");
  store::require_distinct(plan.selection.targets, plan.n, "targets");
  const std::int64_t columns = plan.targets();
  refuse_if(
      options.into.values != nullptr && options.into.stride != 0 && options.into.stride < columns,
      "rows of {} distances overlap with a stride of {}: "
      "the stride must be at least as long as a row, or 0",
      columns, options.into.stride);
  if (plan.selection.all()) return;
  refuse_if(options.predecessors || options.via || options.hops,
            "--predecessors, --via and --hops are for all pairs, so they do not go with "
            "--sources and --targets: leave them out; apsp path does not need them");
  refuse_if(options.keep == Keep::factor || options.stored == Keep::factor,
            "a factor gives the distances of all pairs when they are asked for: leave "
            "--sources and --targets out, or do not keep it");
}

void check_options(const SolveOptions& options) {
  require_tile(options.tile);
  refuse_if(
      options.threads < 0 || options.memory < 0 || options.device_memory < 0 || options.disk < 0,
      "threads, memory and disk must not be negative");
  refuse_if(!(options.tolerance >= 0 && std::isfinite(options.tolerance)),
            "the tolerance must be at least 0, not {}", options.tolerance);
  const bool to_file = !options.output.empty(), to_zarr = store::is_zarr(options.output);
  const bool stores_factor =
      options.stored == Keep::factor ||
      (options.stored == Keep::automatic && options.keep == Keep::factor && to_file);
  refuse_if(options.stored == Keep::statistics,
            "an output holds the matrix or the factor, not only statistics");
  refuse_if(stores_factor && !to_zarr,
            "a factor is kept in a .zarr{}; name one, or keep the matrix",
            to_file ? ": " + options.output + " holds only a matrix" : "");
  refuse_if((options.keep == Keep::factor || stores_factor) && options.predecessors,
            "a factor is kept without a predecessor matrix, and paths do not need one: leave "
            "--predecessors out, or keep the matrix");
}

/// Rows that stay on a GPU come from one, and from nothing that an earlier run or a matrix holds.
void check_device_rows(const SolveOptions& options) {
  if (!options.on_device_rows) return;
  refuse_if(options.device != Device::cuda,
            "rows stay on a GPU only where one finds them: ask for --device cuda");
  refuse_if(options.algorithm == Algorithm::floyd_warshall || options.via || options.hops,
            "rows of a matrix do not stay on a GPU (floyd-warshall, --via, --hops): leave the "
            "algorithm open, or solve a matrix that lies there (floyd_warshall_on_device)");
  refuse_if(options.keep == Keep::matrix || (options.predecessors && options.output.empty()),
            "rows that stay on a GPU leave no matrix in memory: leave --keep matrix and "
            "--predecessors out");
  refuse_if(options.resume,
            "rows of an earlier run are not on a GPU: leave --resume out, or take the rows on the "
            "CPU");
}

void take_f64(const std::string& why, Plan& plan) {
  plan.type = ValueType::f64;
  plan.why.type = why;
}

/// Between f32 and f64, where it is left open: by potentials, and by how often paths are rounded.
void choose_precision(const Graph& graph, const SolveOptions& options, SignedWeights* weights,
                      Plan& plan) {
  const bool cyclic = weights != nullptr && weights->potentials.cycle;
  if (options.value_type || plan.type != ValueType::f32 || cyclic) return;
  if (weights != nullptr && too_coarse_in_f32(graph, *weights)) {
    return take_f64("sums of both signs cancel, and f32 would be too coarse for what is left",
                    plan);
  }
  const std::string why =
      why_f32_is_too_coarse(graph, plan.semiring, weights, options.tolerance, options.control);
  if (!why.empty()) take_f64(why, plan);
}

void plan_real_weights(const Graph& graph, const SolveOptions& options, Plan& plan) {
  if (!sums_may_cancel(graph, plan.semiring, plan.type)) {
    return choose_precision(graph, options, nullptr, plan);
  }
  const auto weights = reduce_weights(graph, plan.semiring, plan.threads, options.control);
  choose_precision(graph, options, weights.get(), plan);
  if (!weights->potentials.cycle) set_bound(graph, plan.type, *weights);
  plan.signed_weights = weights;
  plan.sign = kernels::Sign::non_negative;
}

/// The tile of a solve on the CPU; packed bits have one of their own, and no symmetric half.
void set_tile(std::int64_t asked, Plan& plan) {
  plan.way = DensePlan{asked > 0 ? asked : choose_tile(plan.n, plan.threads, operations_of(plan))};
  if (!plan.in_bits()) return;
  plan.way = DensePlan{kernels::cpu::BitLine::kColumns};
  plan.shape = places::Shape::full;
}

/// CPU or GPU, and what follows from that: tile and shape.
void choose_place(const DeviceProblem& problem, const DevicePreference& preference,
                  const FindDevices& find, const RateSource& rates, Plan& plan) {
  DeviceChoice choice = choose_device(problem, preference, find, rates);
  plan.why.device = std::move(choice.why);
  plan.on_device = std::move(choice.cuda);
  if (plan.on_device) {
    plan.way = DensePlan{plan.on_device->tile};
    plan.shape = plan.on_device->shape;
    return;
  }
  set_tile(problem.tile, plan);
}

/// Whether a GPU finds rows sooner than it solves the matrix, by far. A matrix of so many vertices
/// takes a second and more. A search's look at an arc takes as long as some 600 relaxations. The
/// bound is higher, so that the plan compares both where they are close.
bool matrix_is_hopeless(std::int64_t vertices, std::int64_t arcs) {
  constexpr std::int64_t kVertices = 32768;
  constexpr double kRelaxationsAnArc = 1024;
  const auto n = static_cast<double>(vertices);
  return vertices >= kVertices && static_cast<double>(arcs) * kRelaxationsAnArc < n * n;
}

/// CPU or GPU for Floyd-Warshall. Where a GPU is to find rows, none is chosen if the matrix does
/// not fit it.
void choose_place_unless_by_rows(const PlanRequest& asked, Plan& plan) {
  const Graph& graph = asked.graph;
  const SolveOptions& options = asked.options;
  const bool named =
      options.algorithm != Algorithm::automatic && options.algorithm != Algorithm::floyd_warshall;
  const bool may =
      options.device == Device::cuda && (named || (options.algorithm == Algorithm::automatic &&
                                                   looks_sparse(plan.n, graph.arc_count())));
  const auto takes = [&](Algorithm algorithm) {
    return why_not(algorithm, graph, options, rows_problem(plan)).empty();
  };
  const bool by_rows =
      options.on_device_rows ||
      (may && (named ? takes(options.algorithm) : takes(Algorithm::nested_dissection)));
  const bool factored = options.device == Device::cuda && plan.leaves_factor();
  if (by_rows || factored) set_tile(options.tile, plan);
  // A matrix gives no rows on a device.
  if (factored || options.on_device_rows) return;
  if (by_rows && (named || matrix_is_hopeless(plan.n, graph.arc_count()))) return;
  try {
    choose_place({.n = plan.n,
                  .kernel = plan.kernel(),
                  .shape = plan.shape,
                  .distance_bound = plan.distance_bound,
                  .tile = options.tile,
                  .memory = options.device_memory,
                  .threads = plan.threads,
                  .stays_in_bits = plan.stays_in_bits()},
                 {options.device, options.device_ordinals}, asked.find, asked.rates, plan);
  } catch (const DeviceTooSmall& small) {
    if (by_rows) return;
    const std::string limits = limits_of_rows_on_device(graph, options, plan);
    throw DeviceTooSmall(limits + small.what(), small.least());
  }
}

/// What the output will hold: all distances, unless the factor is asked for, or a graph that has a
/// small one needs more than the disk has.
void choose_stored(const Graph& graph, const SolveOptions& options, Plan& plan) {
  if (options.output.empty()) return;
  if (options.stored == Keep::factor ||
      (options.stored == Keep::automatic && options.keep == Keep::factor)) {
    plan.stored = Keep::factor;
    return;
  }
  if (!may_store_factor(options, plan) || !looks_sparse(plan.n, graph.arc_count())) return;
  const std::int64_t room = allowed_disk(options);
  if (output_bytes(plan, options) <= room) return;
  if (!why_not(Algorithm::nested_dissection, graph, options, rows_problem(plan)).empty()) return;
  plan.stored = Keep::factor;
  plan.why.stored =
      fmt::format("all distances take {}, and there is room for {}",
                  base::format_bytes(output_bytes(plan, options)), base::format_bytes(room));
}

/// Samples of the graph, where they may be taken for an order and for a bound of distances.
std::shared_ptr<const Estimates> estimates_for(const PlanRequest& asked) {
  const Algorithm wanted = asked.options.algorithm;
  const bool dissects = wanted == Algorithm::automatic || wanted == Algorithm::nested_dissection;
  if (asked.estimated_from == kNeverEstimated || !dissects) return nullptr;
  auto found = estimates_of(asked.graph, asked.estimated_from);
  return found ? std::make_shared<const Estimates>(std::move(*found)) : nullptr;
}

/// What a solve does before it begins, and an estimate did not.
double seconds_put_off(const Plan& plan) {
  constexpr double kBounding = 0.3e-6;  // s a vertex
  if (!plan.estimates) return 0;
  double seconds = plan.estimated_type ? kBounding * static_cast<double>(plan.n) : 0;
  if (plan.rows() && plan.rows()->factor()) {
    seconds += guess_order(plan.estimates->trees, plan.threads).seconds;
  }
  return seconds;
}

/// What planning took is part of what a caller waits for, once; and a process that solves for the
/// first time starts threads and touches pages of code.
void add_planning(double seconds, Plan& plan) {
  constexpr double kFirst = 1.2e-3;  // s
  // A driver has started by now, whatever was assumed of it.
  const double least = plan.on_device ? -plan.predicted.start : 0;
  const double more = std::max(least, seconds + kFirst - plan.predicted.start);
  plan.predicted.start += more;
  plan.predicted.seconds += more;
  add_to_all(more, plan);
}

}  // namespace

kernels::TileOperations operations_of(const Plan& plan) {
  return kernels::cpu::operations(plan.kernel_semiring(), plan.type, plan.sign);
}

double Plan::relaxations() const {
  return rows() ? rows()->relaxations() : planner::relaxations(n, shape);
}

Plan on_cpu(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  if (!plan.on_device) return plan;
  Plan other = plan;
  other.on_device.reset();
  other.why.device.clear();
  other.shape = graph.symmetric() ? places::Shape::symmetric : places::Shape::full;
  set_tile(options.tile, other);
  return other;
}

Plan make_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates) {
  Plan plan = find_plan(graph, options, find, rates);
  if (plan.fits()) return plan;
  throw Error(ErrorKind::does_not_fit, what_would_fit(graph, options, plan, find));
}

Plan find_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates, std::int64_t estimated_from) {
  try {
    return try_plan({graph, options, find, rates, true, estimated_from});
  } catch (const DeviceTooSmall& small) {
    throw Error(small.kind(), what_would_fit(graph, options, small, find));
  }
}

Plan try_plan(const PlanRequest& asked) {
  const Graph& graph = asked.graph;
  const SolveOptions& options = asked.options;
  const auto began = std::chrono::steady_clock::now();
  check_options(options);
  check_device_rows(options);
  Plan plan;
  plan.n = graph.vertex_count();
  plan.selection = {options.sources, options.targets};
  check_selection(options, plan);
  plan.semiring = options.semiring;
  plan.threads = base::thread_count(options.threads);
  plan.estimates = estimates_for(asked);
  const ValueChoice values = choose_value_type(
      graph, plan.semiring, options.value_type, plan.threads, options.control,
      plan.estimates ? plan.estimates->longest : std::optional<LongestDistance>());
  plan.type = values.type;
  plan.estimated_type = values.estimated;
  plan.distance_bound = values.distance_bound;
  if (options.device != Device::cpu) plan.least_distance = least_distance(graph);
  plan.whole = graph.weight_facts().integral;
  plan.symmetric = graph.symmetric();
  plan.sign = graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
  plan_real_weights(graph, options, plan);
  if (plan.why.type.empty()) {
    plan.why.type = why_value_type(graph.weight_facts(), options.value_type.has_value(), plan.type);
  }
  if (values.searched) {
    const auto longest = static_cast<std::int64_t>(plan.distance_bound);
    plan.why.type += fmt::format("; no distance exceeds {}{}", values.estimated ? "about " : "",
                                 base::format_count(longest));
  }
  plan.unit_roundoff = unit_roundoff(graph, plan.semiring, plan.type, plan.distance_bound);
  plan.shape = graph.symmetric() ? places::Shape::symmetric : places::Shape::full;
  plan.chunk = options.tile > 0 ? options.tile : kStoreChunk;
  plan.with_via = options.via || options.hops;
  const bool passed_by = wants_pairs_alone(options) || options.on_device_rows;
  plan.keep = options.keep != Keep::automatic ? options.keep
              : passed_by                     ? Keep::statistics
                                              : Keep::matrix;
  if (!options.output.empty()) plan.disk.graph = store::graph_bytes_on_disk(graph);
  choose_stored(graph, options, plan);
  require_taken(asked, plan);
  choose_place_unless_by_rows(asked, plan);
  plan.bytes = plan_memory(graph, options, plan).peak();
  plan.bytes_allowed = allowed_bytes(options);
  plan.disk.output = output_bytes(plan, options);
  if (!options.output.empty()) plan.disk.allowed = allowed_disk(options);
  const bool named =
      options.algorithm != Algorithm::automatic && options.algorithm != Algorithm::floyd_warshall;
  if (!named && (plan.on_device || options.device != Device::cuda)) {
    plan.predicted = predict(plan, graph.arc_count(), options, asked.rates);
  }
  plan = choose_algorithm(asked, plan);
  add_planning(base::seconds_since(began) + seconds_put_off(plan), plan);
  return plan;
}

Plan plan_matrix(const DeviceProblem& problem, const DevicePreference& preference,
                 const FindDevices& find, const RateSource& rates) {
  Plan plan;
  plan.semiring = problem.kernel.semiring;
  plan.type = problem.kernel.type;
  plan.sign = problem.kernel.sign;
  plan.with_via = problem.kernel.tracks_via;
  plan.shape = problem.shape;
  plan.n = problem.n;
  plan.threads = problem.threads;
  plan.distance_bound = problem.distance_bound;
  try {
    choose_place(problem, preference, find, rates, plan);
  } catch (const DeviceTooSmall& small) {
    throw Error(small.kind(), what_would_fit(problem, preference, small, find));
  }
  return plan;
}

}  // namespace apsp::planner
