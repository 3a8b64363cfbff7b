// Solves a graph: plan, computation, sinks, result.

#include <chrono>

#include "api/caller_rows.hpp"
#include "api/earlier_run.hpp"
#include "api/result.hpp"
#include "api/solve.hpp"
#include "base/seconds_since.hpp"
#include "engine/row_producer.hpp"
#include "engine/solve_graph.hpp"
#include "flow/drive.hpp"
#include "flow/store_rows.hpp"
#include "paths/paths.hpp"
#include "paths/predecessor_rows.hpp"
#include "paths/via_path.hpp"
#include "planner/advice.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "rates/measured_rates.hpp"
#include "sparse/stored_factor.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/statistics_pass.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

using Clock = std::chrono::steady_clock;

using base::seconds_since;

/// `resumed`: some rows are stored and available only as rows, not as columns.
struct Sinks {
  Sinks(const Graph& graph, const planner::Plan& plan, const SolveOptions& options,
        store::Store* target, store::Store* selected, bool resumed) {
    const store::Selection& selection = plan.selection;
    if (target != nullptr) output.emplace(*target, plan.threads);
    if (selected != nullptr) kept.emplace(*selected, plan.threads);
    if (target != nullptr && planner::writes_predecessors_with_rows(plan, options)) {
      predecessors.emplace(graph, *target, plan.threads);
    }
    if (options.consumer.on_rows)
      caller.emplace(plan.n, plan.type, selection, options.consumer.on_rows);
    if (options.consumer.on_device_rows) {
      on_device.emplace(plan.n, plan.type, selection, options.consumer.on_device_rows);
    }
    if (options.consumer.into.values != nullptr) {
      into.emplace(plan.n, plan.type, plan.semiring, selection, options.consumer.into);
    }
    if (!options.question.statistics) return;
    if (engine::emits_columns(plan) && !resumed) {
      // Devices compute every ordered pair.
      const bool once = plan.rows()->uses.gives_columns && !plan.on_device && graph.symmetric() &&
                        selection.all();
      swept.emplace(graph, plan.semiring, plan.type, plan.distance_bound, once, selection);
    } else {
      statistics.emplace(graph, plan.semiring, plan.type, plan.distance_bound, selection);
    }
  }
  std::vector<flow::RowSink*> all() {
    std::vector<flow::RowSink*> sinks;
    if (output) sinks.push_back(&*output);
    if (kept) sinks.push_back(&*kept);
    if (predecessors) sinks.push_back(&*predecessors);
    if (caller) sinks.push_back(&*caller);
    if (on_device) sinks.push_back(&*on_device);
    if (into) sinks.push_back(&*into);
    if (statistics) sinks.push_back(&*statistics);
    return sinks;
  }

  std::optional<flow::StoreRows> output, kept;
  std::optional<paths::PredecessorRows> predecessors;
  std::optional<api::CallbackRows> caller;
  std::optional<api::DeviceCallbackRows> on_device;
  std::optional<api::CallerRows> into;
  std::optional<statistics::StatisticsPass> statistics;  // by row, or
  std::optional<statistics::SweptStatistics> swept;      // by vertex
};

std::int64_t bytes_of(const RowsInto& into, const Graph& graph, const SolveOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const std::int64_t rows = store::VertexList(options.question.sources).size(n);
  const std::int64_t columns = store::VertexList(options.question.targets).size(n);
  const std::int64_t stride = into.stride == 0 ? columns : into.stride;
  return rows == 0 ? 0 : ((rows - 1) * stride + columns) * std::int64_t{sizeof(double)};
}

class SolveAlone {
 public:
  SolveAlone(const Graph& graph, const SolveOptions& given, const planner::RateSource& rates)
      : graph_(graph), rates_(rates), earlier_(api::earlier_run(given)) {
    if (earlier_) api::require_graph_of(*earlier_, graph);
    options_ = earlier_ ? api::decided_by(*earlier_, given) : given;
  }

  Result run(const planner::FindDevices& find) {
    make_plan(find);
    begin_state();
    open_stores();
    report().seconds_prepare = seconds_since(start_);
    solve();
    if (options_.question.hops) count_edges();
    write_rest();
    report().seconds_store = seconds_storing();
    note_store_rate();
    keep_what_was_asked_for();
    note_total();
    return Result(std::move(state_));
  }

 private:
  SolveReport& report() { return state_->report; }
  bool matrix_left() const { return earlier_ && earlier_->contents.cut; }
  bool rows_left() const { return earlier_ && !earlier_->contents.cut; }
  bool stores_factor() const { return plan_.stored == Keep::factor; }
  double seconds_storing() { return seconds_since(solving_) - report().seconds_solve; }

  void make_plan(const planner::FindDevices& find) {
    system::EarlyPages pages(options_.consumer.into.values,
                             bytes_of(options_.consumer.into, graph_, options_),
                             system::thread_count(options_.machine.threads));
    // A resumed matrix keeps its width, and its plan states its needs.
    plan_ = matrix_left() ? planner::find_plan(graph_, options_, find, rates_)
                          : planner::make_plan(graph_, options_, find, rates_);
    pages.stop();
    if (matrix_left()) plan_ = api::plan_again(*earlier_, {graph_, options_, find, rates_}, plan_);
    plan_.bytes = std::max(plan_.bytes, system::kept_by_measuring());
    if (options_.on_plan) options_.on_plan(planner::plan_report(plan_));
    engine::require_defined(graph_, plan_, options_.control);
  }

  void begin_state() {
    state_ = std::make_unique<Result::State>();
    state_->graph = graph_;
    state_->layout = planner::layout_of(plan_, options_);
    state_->report = api::report_of(plan_);
  }

  /// Opens the output first, so that a path that cannot be written costs no solve.
  void open_stores() {
    if (!options_.storage.output.empty()) {
      store::Layout layout = state_->layout;
      if (stores_factor()) layout.planes.clear();
      output_ = api::open_output(graph_, plan_, options_, layout, earlier_);
    }
    const store::Layout in_memory = planner::layout_in_memory(plan_, options_);
    if (plan_.keeps_selection()) selected_ = store::make_memory_store(in_memory);
    if (plan_.on_disk()) {
      on_disk_ = api::open_matrix(graph_, plan_, options_, earlier_);
      if (on_disk_->cut()) report().pivots_resumed = on_disk_->cut()->pivots;
    }
    if (plan_.keeps_matrix()) {
      store::Layout whole = in_memory;
      whole.selection = {};
      state_->store = store::make_memory_store(whole);
    }
  }

  /// Destroys the sinks at the end, which frees their counters before the next allocation.
  void solve() {
    Sinks sinks(graph_, plan_, options_, stores_factor() ? nullptr : output_.get(), selected_.get(),
                rows_left());
    solving_ = Clock::now();
    const engine::Solved solved =
        engine::solve_graph(graph_, plan_, state_->store.get(), options_.control, sinks.all(),
                            sinks.swept ? &*sinks.swept : nullptr,
                            rows_left() ? output_.get() : nullptr, on_disk_.get());
    if (sinks.statistics) state_->statistics = sinks.statistics->statistics();
    if (sinks.swept) state_->statistics = sinks.swept->statistics();
    factor_ = solved.factor;
    report().on_device = solved.on_device;
    report().absolute_error = solved.absolute_error;
    report().rows_resumed = solved.rows_resumed;
    report().damaged = solved.damaged;
    if (matrix_left() && !solved.damaged.empty()) report().pivots_resumed = 0;
    report().seconds_solve = solved.seconds;
  }

  void count_edges() {
    const Clock::time_point counting = Clock::now();
    paths::write_hops(*state_->store, options_.control);
    report().seconds_solve += seconds_since(counting);
  }

  /// Writes all but the distances. The stored report has the times known so far.
  void write_rest() {
    if (output_ == nullptr) {
      if (options_.question.predecessors && state_->store != nullptr) {
        paths::write_predecessors(graph_, *state_->store, *state_->store, plan_.threads,
                                  options_.control);
      }
      return;
    }
    report().seconds_store = seconds_storing();
    note_total();
    if (stores_factor()) sparse::write_factor(*factor_, *output_, options_.control);
    for (const store::Plane plane : {store::Plane::via, store::Plane::hops}) {
      if (!output_->holds(plane)) continue;
      flow::copy_plane(plane, *state_->store, *output_, plan_.threads, options_.control);
    }
    if (options_.question.predecessors &&
        !planner::writes_predecessors_with_rows(plan_, options_)) {
      const store::Store& distances = plan_.keeps_matrix() ? *state_->store : *output_;
      paths::write_predecessors(graph_, distances, *output_, plan_.threads, options_.control);
    }
    output_->commit(graph_, state_->metadata());
    if (on_disk_ != nullptr) on_disk_->discard();
  }

  /// Records the speed of the output without simultaneous statistics, unless these took too much.
  void note_store_rate() {
    constexpr double kTellingShare = 0.25;
    const bool whole_matrix = output_ != nullptr && !stores_factor() && !earlier_ && !on_disk_;
    if (!whole_matrix || !rates_.stored || options_.question.predecessors) return;
    const double beside = report().seconds_store - plan_.predicted.statistics;
    if (beside <= kTellingShare * report().seconds_store) return;
    rates_.stored({.threads = plan_.threads,
                   .path = options_.storage.output,
                   .compress = options_.storage.compress},
                  static_cast<double>(planner::output_bytes(plan_, options_)), beside);
  }

  void keep_what_was_asked_for() {
    if (!plan_.selection.all()) state_->store = std::move(selected_);
    state_->layout = planner::layout_in_memory(plan_, options_);
    if (plan_.keep == Keep::statistics) state_->store.reset();
    if (plan_.keep == Keep::factor) {
      state_->keep(std::make_unique<sparse::FactorRows>(factor_, plan_.sign));
    }
  }

  void note_total() {
    report().seconds_total = seconds_since(start_);
    report().bytes_resident = system::process_memory("VmHWM");
  }

  Clock::time_point start_ = Clock::now();
  const Graph& graph_;
  const planner::RateSource& rates_;
  std::optional<store::Resumable> earlier_;
  SolveOptions options_;
  planner::Plan plan_;
  std::unique_ptr<Result::State> state_;
  std::unique_ptr<store::Store> output_;
  std::unique_ptr<store::Store> selected_;
  std::unique_ptr<store::DiskMatrix> on_disk_;
  std::shared_ptr<const sparse::Factor> factor_;
  Clock::time_point solving_{};
};

}  // namespace

SolveReport api::report_of(const planner::Plan& plan) {
  SolveReport report;
  report.plan = planner::plan_line(plan);
  report.seconds_predicted = plan.predicted.seconds;
  report.prediction_rough = plan.predicted.rough;
  report.algorithm = plan.algorithm;
  report.device = plan.device();
  report.value_type = plan.type;
  report.semiring = plan.semiring;
  report.threads = plan.threads;
  report.tile = plan.tile();
  report.relaxations = plan.relaxations();
  report.bytes_planned = plan.bytes;
  report.sources = plan.sources();
  report.targets = plan.targets();
  report.bytes_matrix = plan.sources() * plan.targets() * size_of(plan.type);
  report.unit_roundoff = plan.unit_roundoff;
  return report;
}

Result api::solve_among(const planner::FindDevices& find, const Graph& graph,
                        const SolveOptions& given, const planner::RateSource& rates) {
  return SolveAlone(graph, given, rates).run(find);
}

PlanReport api::plan_among(const planner::FindDevices& find, const Graph& graph,
                           const SolveOptions& options, const planner::RateSource& rates,
                           std::int64_t estimated_from) {
  const planner::PlanRequest asked{graph, options, find, rates, estimated_from};
  const planner::Plan plan = planner::plan_for(asked);
  PlanReport report = planner::plan_report(plan);
  if (!plan.fits()) {
    const RefusedSolve refused = planner::does_not_fit(asked, plan);
    report.what_would_fit = refused.what();
    report.advice = refused.advice();
  }
  return report;
}

PlanReport plan_solve(const Graph& graph, const SolveOptions& options,
                      const PlanOptions& planning) {
  const Cancellable listening(options.control.cancellation);
  rates::RatePolicy policy =
      rates::rate_policy(options.control.cancellation, options.machine.memory);
  if (planning.measure) {
    policy.measuring = rates::Measuring::always;
    policy.renew = true;
  }
  rates::MeasuredRates measured(std::move(policy));
  return api::plan_among(measured.find(), graph, options, measured.source(),
                         planning.estimate ? planner::kLeastEstimated : planner::kNeverEstimated);
}

Result solve(const Graph& graph, const SolveOptions& options) {
  const Cancellable listening(options.control.cancellation);
  rates::MeasuredRates measured(
      rates::rate_policy(options.control.cancellation, options.machine.memory));
  return api::solve_among(measured.find(), graph, options, measured.source());
}

}  // namespace apsp
