// The whole way from a graph to a result: plan, solve, statistics, store.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>
#include <cmath>

#include "algorithms/adjacency_matrix.hpp"
#include "algorithms/bellman_check.hpp"
#include "algorithms/device_closure.hpp"
#include "algorithms/reduced_matrix.hpp"
#include "algorithms/transitive_closure.hpp"
#include "api/background_write.hpp"
#include "api/copy_planes.hpp"
#include "api/device_run.hpp"
#include "api/measured_rates.hpp"
#include "api/result_state.hpp"
#include "api/solve_among.hpp"
#include "base/control.hpp"
#include "base/team.hpp"
#include "graph/negative_cycle.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/one_memory.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "query/paths.hpp"
#include "query/statistics_pass.hpp"
#include "query/via_path.hpp"

namespace apsp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void report_cycle(const Graph& graph, const Cycle& cycle, const char* what,
                               const char* consequence) {
  constexpr std::size_t kShown = 20;
  std::string walk;
  for (std::size_t i = 0; i < cycle.vertices.size() && i < kShown; ++i) {
    walk += graph.name(cycle.vertices[i]) + " → ";
  }
  if (cycle.vertices.size() > kShown) walk += "… → ";
  walk += graph.name(cycle.vertices.front());
  throw Error::negative_cycle(
      cycle, fmt::format("{}: {} of weight {}; {}", what, walk, cycle.weight, consequence));
}

/// Distances must be defined before any work begins, so that no value can overflow on the way.
void require_defined(const Graph& graph, const planner::Plan& plan, const Control& control) {
  if (plan.semiring == Semiring::min_plus && graph.weight_facts().least < 0) {
    const auto cycle = plan.signed_weights ? plan.signed_weights->potentials.cycle
                                           : potentials(graph, 1, control, plan.threads).cycle;
    if (cycle) report_cycle(graph, *cycle, "negative cycle", "shortest distances are undefined");
  }
  if (plan.semiring == Semiring::max_plus) {
    if (const auto cycle = find_cycle(graph)) {
      report_cycle(graph, *cycle, "cycle", "longest paths are defined on acyclic graphs only");
    }
  }
}

store::Layout layout_of(const planner::Plan& plan, const SolveOptions& options) {
  store::Layout layout;
  layout.n = plan.n;
  layout.type = plan.type;
  layout.semiring = plan.semiring;
  layout.tile = plan.chunk;
  if (options.predecessors) layout.planes.push_back(store::Plane::predecessor);
  if (options.via || options.hops) layout.planes.push_back(store::Plane::via);
  if (options.hops) layout.planes.push_back(store::Plane::hops);
  return layout;
}

/// The plane of intermediate vertices, none yet; no data where there is none.
Tiling via_of(const planner::Plan& plan, store::Store& matrix) {
  if (!matrix.holds(store::Plane::via)) return {};
  auto* const data = static_cast<std::int32_t*>(matrix.data(store::Plane::via));
  const std::int64_t stride = matrix.stride();
  base::share_items(plan.n, plan.threads, [&](std::int64_t i) {
    std::fill(data + i * stride, data + i * stride + plan.n, kernels::kNoVia);
  });
  return {{data, plan.n, plan.n, stride}, sizeof(std::int32_t), plan.tile};
}

std::optional<DeviceReport> run_planned(const planner::Plan& plan, const Tiling& host,
                                        const Tiling& via, const Control& control) {
  if (plan.on_device) {
    return api::run_on_device(*plan.on_device, host, via, kernels::Cycles::excluded, control);
  }
  std::optional<Witness> witness;
  if (via.matrix.data != nullptr) {
    witness = {via, kernels::cpu::witness_operations(plan.kernel_semiring(), plan.type, plan.sign)};
  }
  OneMemory(host, plan.shape,
            kernels::cpu::operations(plan.kernel_semiring(), plan.type, plan.sign),
            kernels::Cycles::excluded, plan.threads, control, witness)
      .run();
  return std::nullopt;
}

std::optional<DeviceReport> run_closure(const Graph& graph, const planner::Plan& plan,
                                        kernels::Tile reach, const Control& control) {
  if (!plan.on_device) {
    transitive_closure(graph, reach, plan.threads, control);
    return std::nullopt;
  }
  return api::run_closure_on_device(*plan.on_device, [&](kernels::Device& device) {
    return device_closure(device, graph, reach, plan.threads, control);
  });
}

/// The matrix to start from: weights, or reduced ones.
void fill_matrix(const Graph& graph, const planner::Plan& plan, kernels::Tile matrix,
                 const Control& control) {
  if (!plan.signed_weights) {
    return fill_adjacency_matrix(graph, plan.semiring, plan.type, matrix, plan.threads, control);
  }
  const planner::SignedWeights& weights = *plan.signed_weights;
  fill_reduced_matrix(graph, {weights.potentials.h, weights.sign}, plan.type, matrix, plan.threads,
                      control);
}

/// Distances from what the kernels left. Sums of both signs are checked before anyone sees them.
void finish_matrix(const Graph& graph, const planner::Plan& plan, kernels::Tile matrix,
                   const Control& control, SolveReport& report) {
  if (!plan.signed_weights) return put_back_diagonal(plan.semiring, plan.type, matrix);
  const planner::SignedWeights& weights = *plan.signed_weights;
  const LargestValues largest = restore_matrix({weights.potentials.h, weights.sign}, plan.type,
                                               matrix, plan.threads, control);
  report.absolute_error =
      std::min(report.absolute_error, weights.bound.of(largest.reduced, largest.distance));
  check_bellman(graph, weights.sign, plan.type, matrix, report.absolute_error, plan.threads,
                control);
}

void run_floyd_warshall(const Graph& graph, const planner::Plan& plan, store::Store& matrix,
                        const Control& control, SolveReport& report) {
  const kernels::Tile whole{matrix.data(store::Plane::distance), plan.n, plan.n, matrix.stride()};
  if (plan.in_bits()) {
    report.on_device = run_closure(graph, plan, whole, control);
    return;
  }
  fill_matrix(graph, plan, whole, control);
  const Tiling via = via_of(plan, matrix);
  report.on_device = run_planned(plan, {whole, size_of(plan.type), plan.tile}, via, control);
  finish_matrix(graph, plan, whole, control, report);
  if (via.matrix.data == nullptr) return;
  auto* const data = static_cast<std::int32_t*>(via.matrix.data);
  for (std::int64_t i = 0; i < plan.n; ++i) data[i * (matrix.stride() + 1)] = kernels::kNoVia;
  if (matrix.holds(store::Plane::hops)) query::write_hops(matrix, control);
}

Statistics gather_statistics(const Graph& graph, const planner::Plan& plan, store::Store& matrix,
                             const Control& control) {
  query::StatisticsPass pass(graph, plan.semiring, plan.type, plan.distance_bound, plan.threads);
  base::ProgressTask progress(control, "statistics", static_cast<double>(plan.n), "row");
  const auto* const data = static_cast<const std::byte*>(matrix.data(store::Plane::distance));
  const std::int64_t row_bytes = matrix.stride() * size_of(plan.type);
  for (std::int64_t row = 0; row < plan.n; row += plan.chunk) {
    base::check_cancelled(control);
    const std::int64_t rows = std::min(plan.chunk, plan.n - row);
    pass.add_rows(row, rows, data + row * row_bytes, matrix.stride());
    progress.advance(static_cast<double>(rows));
  }
  return pass.finish();
}

/// All but the distances.
void write_rest(Result::State& state, const planner::Plan& plan, const SolveOptions& options,
                store::Store& target) {
  for (const store::Plane plane : {store::Plane::via, store::Plane::hops}) {
    if (!target.holds(plane)) continue;
    api::copy_plane(plane, *state.store, target, plan.threads, options.control);
  }
  if (options.predecessors) {
    query::write_predecessors(state.graph, *state.store, target, plan.threads, options.control);
  }
  target.commit(state.graph, state.metadata());
}

SolveReport report_of(const planner::Plan& plan) {
  SolveReport report;
  report.plan = planner::plan_line(plan);
  report.seconds_predicted = plan.predicted.seconds;
  report.prediction_rough = plan.predicted.rough;
  report.algorithm = plan.algorithm;
  report.device = plan.device;
  report.value_type = plan.type;
  report.semiring = plan.semiring;
  report.threads = plan.threads;
  report.tile = plan.tile;
  report.relaxations = plan.relaxations();
  report.bytes_planned = plan.bytes;
  report.bytes_matrix = plan.n * plan.n * size_of(plan.type);
  report.unit_roundoff = plan.unit_roundoff;
  if (plan.signed_weights) report.absolute_error = plan.signed_weights->absolute_error();
  return report;
}

}  // namespace

Result api::solve_among(const planner::FindDevices& find, const Graph& graph,
                        const SolveOptions& options, const planner::RateSource& rates) {
  const Clock::time_point start = Clock::now();
  const planner::Plan plan = planner::make_plan(graph, options, find, rates);
  if (options.on_plan) options.on_plan(planner::plan_report(plan));
  require_defined(graph, plan, options.control);

  auto state = std::make_unique<Result::State>();
  state->graph = graph;
  state->layout = layout_of(plan, options);
  state->report = report_of(plan);
  SolveReport& report = state->report;

  // The output is opened first: a path that cannot be written must not cost a solve.
  std::unique_ptr<store::Store> target;
  store::Layout in_memory = state->layout;
  if (!options.output.empty()) {
    target = store::create_store(options.output, state->layout, {options.compress, nullptr});
    std::erase(in_memory.planes, store::Plane::predecessor);  // made a band at a time
  }
  state->store = store::make_memory_store(in_memory);
  report.seconds_prepare = seconds_since(start);

  const Clock::time_point solving = Clock::now();
  run_floyd_warshall(graph, plan, *state->store, options.control, report);
  report.seconds_solve = seconds_since(solving);

  const Clock::time_point storing = Clock::now();
  std::optional<api::BackgroundWrite> writing;
  if (target != nullptr) writing.emplace(*state->store, *target, plan.threads, options.control);
  if (options.statistics) {
    state->statistics = gather_statistics(graph, plan, *state->store, options.control);
  }
  if (target != nullptr) {
    writing->finish();
    report.seconds_store = seconds_since(storing);
    report.seconds_total = seconds_since(start);
    write_rest(*state, plan, options, *target);
  } else if (options.predecessors) {
    query::write_predecessors(graph, *state->store, *state->store, plan.threads, options.control);
  }
  report.seconds_store = seconds_since(storing);
  if (target != nullptr && rates.stored && !options.predecessors) {
    // What the output took beside statistics, which run at the same time.
    rates.stored(options.output, options.compress, plan.threads,
                 planner::output_bytes(plan, options),
                 report.seconds_store - plan.predicted.statistics);
  }
  state->layout = in_memory;
  if (!options.keep_matrix) state->store.reset();
  report.seconds_total = seconds_since(start);
  return Result(std::move(state));
}

Result solve(const Graph& graph, const SolveOptions& options) {
  api::MeasuredRates measured(api::rate_policy(options.control.cancellation));
  return api::solve_among(measured.find(), graph, options, measured.source());
}

}  // namespace apsp
