// The whole way from a graph to a result: plan, solve, and who takes the rows.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>
#include <cmath>

#include "api/callback_rows.hpp"
#include "api/caller_rows.hpp"
#include "api/earlier_run.hpp"
#include "api/solve_among.hpp"
#include "api/solve_report.hpp"
#include "base/early_pages.hpp"
#include "base/machine.hpp"
#include "elimination/stored_factor.hpp"
#include "engine/solve_graph.hpp"
#include "measure/measured_rates.hpp"
#include "planner/fitting.hpp"
#include "planner/layout.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "query/paths.hpp"
#include "query/statistics_pass.hpp"
#include "query/swept_statistics.hpp"
#include "query/via_path.hpp"
#include "results/result_state.hpp"
#include "store/copy_planes.hpp"
#include "store/store_rows.hpp"

namespace apsp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// All but the distances.
void write_rest(Result::State& state, const planner::Plan& plan, const SolveOptions& options,
                store::Store& target) {
  for (const store::Plane plane : {store::Plane::via, store::Plane::hops}) {
    if (!target.holds(plane)) continue;
    store::copy_plane(plane, *state.store, target, plan.threads, options.control);
  }
  if (options.predecessors) {
    const store::Store& distances = plan.keeps_matrix() ? *state.store : target;
    query::write_predecessors(state.graph, distances, target, plan.threads, options.control);
  }
  target.commit(state.graph, state.metadata());
}

/// Who takes the rows of distances. `resumed`: some of them were stored by an earlier run, and come
/// as rows alone.
struct Sinks {
  Sinks(const Graph& graph, const planner::Plan& plan, const SolveOptions& options,
        store::Store* target, store::Store* selected, bool resumed) {
    const store::Selection& selection = plan.selection;
    if (target != nullptr) output.emplace(*target, plan.threads);
    if (selected != nullptr) kept.emplace(*selected, plan.threads);
    if (options.on_rows) caller.emplace(plan.n, plan.type, selection, options.on_rows);
    if (options.into.values != nullptr) {
      into.emplace(plan.n, plan.type, plan.semiring, selection, options.into);
    }
    if (!options.statistics) return;
    if (engine::hands_on_columns(plan) && !resumed) {
      // A device finds every ordered pair.
      const bool once =
          plan.rows->gives_columns && !plan.on_device && graph.symmetric() && selection.all();
      swept.emplace(graph, plan.semiring, plan.type, plan.distance_bound, once, selection);
    } else {
      statistics.emplace(graph, plan.semiring, plan.type, plan.distance_bound, selection);
    }
  }
  /// Those that there are.
  std::vector<store::RowSink*> all() {
    std::vector<store::RowSink*> sinks;
    if (output) sinks.push_back(&*output);
    if (kept) sinks.push_back(&*kept);
    if (caller) sinks.push_back(&*caller);
    if (into) sinks.push_back(&*into);
    if (statistics) sinks.push_back(&*statistics);
    return sinks;
  }

  std::optional<store::StoreRows> output, kept;
  std::optional<api::CallbackRows> caller;
  std::optional<api::CallerRows> into;
  std::optional<query::StatisticsPass> statistics;  // row by row, or
  std::optional<query::SweptStatistics> swept;      // vertex by vertex
};

/// Of a caller's memory for rows.
std::int64_t bytes_of(const RowsInto& into, const Graph& graph, const SolveOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const std::int64_t rows = options.sources.empty() ? n : std::ssize(options.sources);
  const std::int64_t columns = options.targets.empty() ? n : std::ssize(options.targets);
  const std::int64_t stride = into.stride == 0 ? columns : into.stride;
  return rows == 0 ? 0 : ((rows - 1) * stride + columns) * std::int64_t{sizeof(double)};
}

}  // namespace

Result api::solve_among(const planner::FindDevices& find, const Graph& graph,
                        const SolveOptions& given, const planner::RateSource& rates) {
  const Clock::time_point start = Clock::now();
  const std::optional<store::Resumable> earlier = api::earlier_run(given);
  if (earlier) api::require_graph_of(*earlier, graph);
  const SolveOptions options = earlier ? api::decided_by(*earlier, given) : given;
  base::EarlyPages pages(options.into.values, bytes_of(options.into, graph, options),
                         base::thread_count(options.threads));
  planner::Plan plan = planner::make_plan(graph, options, find, rates);
  pages.stop();
  const bool matrix_left = earlier && earlier->contents.cut, rows_left = earlier && !matrix_left;
  if (matrix_left) plan = api::plan_again(*earlier, graph, options, rates, plan);
  if (options.on_plan) options.on_plan(planner::plan_report(plan));
  engine::require_defined(graph, plan, options.control);

  auto state = std::make_unique<Result::State>();
  state->graph = graph;
  state->layout = planner::layout_of(plan, options);
  state->report = api::report_of(plan);
  SolveReport& report = state->report;

  // The output is opened first: a path that cannot be written must not cost a solve.
  std::unique_ptr<store::Store> target;
  const bool stores_factor = plan.stored == Keep::factor;
  const store::Layout in_memory = planner::layout_in_memory(plan, options);
  if (!options.output.empty()) {
    store::Layout layout = state->layout;
    if (stores_factor) layout.planes.clear();
    target = api::open_output(graph, plan, options, layout, earlier);
  }
  std::unique_ptr<store::Store> selected;  // what the result keeps of a selection
  if (plan.keeps_selection()) selected = store::make_memory_store(in_memory);
  std::unique_ptr<store::DiskMatrix> on_disk;
  if (plan.on_disk) {
    on_disk = api::open_matrix(graph, plan, options, earlier);
    if (on_disk->cut()) report.pivots_resumed = on_disk->cut()->pivots;
  }
  if (plan.keeps_matrix()) {
    store::Layout whole = in_memory;
    whole.selection = {};
    state->store = store::make_memory_store(whole);
  }
  report.seconds_prepare = seconds_since(start);

  std::optional<Sinks> sinks(std::in_place, graph, plan, options,
                             stores_factor ? nullptr : target.get(), selected.get(), rows_left);
  const Clock::time_point solving = Clock::now();
  const engine::Solved solved = engine::solve_graph(
      graph, plan, state->store.get(), options.control, sinks->all(),
      sinks->swept ? &*sinks->swept : nullptr, rows_left ? target.get() : nullptr, on_disk.get());
  if (sinks->statistics) state->statistics = sinks->statistics->statistics();
  if (sinks->swept) state->statistics = sinks->swept->statistics();
  sinks.reset();  // counters, before more memory is taken
  report.on_device = solved.on_device;
  report.absolute_error = solved.absolute_error;
  report.rows_resumed = solved.rows_resumed;
  report.seconds_solve = solved.seconds;
  if (options.hops) {
    const Clock::time_point counting = Clock::now();
    query::write_hops(*state->store, options.control);
    report.seconds_solve += seconds_since(counting);
  }
  // What is not the solve's after it began is the store's.
  const auto seconds_storing = [&] { return seconds_since(solving) - report.seconds_solve; };
  if (target != nullptr) {
    report.seconds_store = seconds_storing();
    report.seconds_total = seconds_since(start);
    report.bytes_resident = base::process_memory("VmHWM");
    if (stores_factor) elimination::write_factor(*solved.factor, *target);
    write_rest(*state, plan, options, *target);
    if (on_disk != nullptr) on_disk->discard();
  } else if (options.predecessors) {
    query::write_predecessors(graph, *state->store, *state->store, plan.threads, options.control);
  }
  report.seconds_store = seconds_storing();
  const bool whole_matrix = !stores_factor && !earlier && !on_disk;
  if (target != nullptr && rates.stored && !options.predecessors && whole_matrix) {
    // What the output took beside statistics, which run at the same time. Where they took most of
    // it, what is left says little of the disk.
    constexpr double kTellingShare = 0.25;
    const double beside = report.seconds_store - plan.predicted.statistics;
    if (beside > kTellingShare * report.seconds_store) {
      rates.stored(options.output, options.compress, plan.threads,
                   planner::output_bytes(plan, options), beside);
    }
  }
  if (!plan.selection.all()) state->store = std::move(selected);
  state->layout = in_memory;
  if (plan.keep == Keep::statistics) state->store.reset();
  if (plan.keep == Keep::factor) {
    state->keep(std::make_unique<elimination::FactorRows>(solved.factor, plan.sign));
  }
  report.seconds_total = seconds_since(start);
  report.bytes_resident = base::process_memory("VmHWM");
  return Result(std::move(state));
}

PlanReport api::plan_among(const planner::FindDevices& find, const Graph& graph,
                           const SolveOptions& options, const planner::RateSource& rates) {
  const planner::Plan plan = planner::find_plan(graph, options, find, rates);
  PlanReport report = planner::plan_report(plan);
  if (!plan.fits()) report.what_would_fit = planner::what_would_fit(graph, options, plan, find);
  return report;
}

PlanReport plan_solve(const Graph& graph, const SolveOptions& options, bool measure) {
  measure::RatePolicy policy = measure::rate_policy(options.control.cancellation);
  if (measure) {
    policy.measuring = measure::Measuring::always;
    policy.renew = true;
  }
  measure::MeasuredRates measured(std::move(policy));
  return api::plan_among(measured.find(), graph, options, measured.source());
}

Result solve(const Graph& graph, const SolveOptions& options) {
  measure::MeasuredRates measured(measure::rate_policy(options.control.cancellation));
  return api::solve_among(measured.find(), graph, options, measured.source());
}

}  // namespace apsp
