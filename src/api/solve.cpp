#include "api/solve.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <utility>

#include "api/earlier_run.hpp"
#include "base/seconds_since.hpp"
#include "engine/row_producer.hpp"
#include "engine/solve_graph.hpp"
#include "flow/drive.hpp"
#include "paths/paths.hpp"
#include "paths/via_path.hpp"
#include "planner/advice.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "rates/measured_rates.hpp"
#include "sparse/stored_factor.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp::api {

SolveReport report_of(const planner::Plan& plan) {
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

SolveSinks::SolveSinks(const Graph& graph, const planner::Plan& plan, const SolveOptions& options,
                       store::Store* to_store, store::Store* to_keep, bool with_predecessors,
                       bool resumed) {
  const store::Selection& selection = plan.selection;
  if (to_store != nullptr) output.emplace(*to_store, plan.threads);
  if (to_keep != nullptr) kept.emplace(*to_keep, plan.threads);
  if (to_store != nullptr && with_predecessors)
    predecessors.emplace(graph, *to_store, plan.threads);
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
    const bool once =
        plan.rows()->uses.gives_columns && !plan.on_device && graph.symmetric() && selection.all();
    column_statistics.emplace(graph, plan.semiring, plan.type, plan.distance_bound, once,
                              selection);
  } else {
    statistics.emplace(graph, plan.semiring, plan.type, plan.distance_bound, selection);
  }
}

std::vector<flow::RowSink*> SolveSinks::all() {
  std::vector<flow::RowSink*> sinks;
  const auto add = [&](auto& sink) {
    if (sink) sinks.push_back(&*sink);
  };
  add(output), add(kept), add(predecessors), add(caller), add(on_device), add(into),
      add(statistics);
  return sinks;
}

Result SolveFlow::run() {
  take_up_earlier();
  make_plan();
  tell_plan();
  open_output();
  open_matrix();
  if (matrix_ != nullptr && matrix_->checkpoint())
    report().pivots_resumed = matrix_->checkpoint()->pivots;
  report().seconds_prepare = base::seconds_since(start_);
  solve();
  write();
  keep();
  note_total();
  return Result(std::move(state_));
}

void SolveFlow::take_up_earlier() {
  earlier_ = earlier_run(group_, options_);
  if (!earlier_) return;
  group_.in_first([&] { require_graph_of(*earlier_, graph_); });
  group_.run_local([&] { options_ = decided_by(*earlier_, options_); });
}

void SolveFlow::tell_plan() {
  state_ = std::make_unique<Result::State>();
  state_->graph = graph_;
  state_->layout = planner::layout_of(plan_, options_);
  state_->report = report_of(plan_);
  describe(state_->report);
  group_.in_first([&] {
    if (options_.on_plan) {
      PlanReport told = planner::plan_report(plan_);
      describe(told);
      options_.on_plan(told);
    }
    engine::require_defined(graph_, plan_, options_.control);
  });
}

/// Process 0 opens the output. The others join it, unless it is a factor, which process 0 writes.
void SolveFlow::open_output() {
  if (options_.storage.output.empty()) return;
  store::Layout layout = state_->layout;
  if (stores_factor()) layout.planes.clear();
  group_.in_first([&] {
    output_ =
        api::open_output(graph_, plan_, options_, layout, rows_left() ? earlier_ : std::nullopt);
  });
  if (stores_factor() || group_.size() == 1) return;
  const std::string place =
      group_.share_text(output_ != nullptr ? output_->shared_place() : std::string());
  const std::int64_t bands = group_.first() ? (plan_.sources() + plan_.chunk - 1) / plan_.chunk : 0;
  for (std::int64_t band = 0; band < bands; ++band) {
    if (output_->holds_band(band)) held_.push_back(band);
  }
  held_ = group_.of_first(std::move(held_));
  group_.run_local([&] {
    if (group_.first()) return;
    output_ =
        fills_by_rows(plan_, options_)
            ? store::join_resumable(store::posix_file_system(), place,
                                    {layout, options_.storage.compress, {}}, group_.rank(), held_)
            : store::join_store(place, layout, {options_.storage.compress, nullptr});
  });
}

/// Destroys the sinks at the end, which frees their counters before the next allocation.
void SolveFlow::solve() {
  std::optional<SolveSinks> sinks;
  group_.run_local([&] {
    sinks.emplace(graph_, plan_, options_, stores_factor() ? nullptr : output_.get(),
                  selected_.get(), predecessors_with_rows(), rows_left());
  });
  solving_ = Clock::now();
  engine::Solved solved = compute(*sinks);
  if (group_.first()) {
    if (sinks->statistics) state_->statistics = sinks->statistics->statistics();
    if (sinks->column_statistics) state_->statistics = sinks->column_statistics->statistics();
    factor_ = std::move(solved.factor);
  }
  report().on_device = std::move(solved.on_device);
  report().seconds_solve = solved.seconds;
  group_.communicate([&] {
    double& error = report().absolute_error;
    for (const double theirs : group_.gather_values(solved.absolute_error)) {
      error = std::max(error, theirs);
    }
    const auto resumed = group_.gather_values(solved.rows_resumed);
    report().rows_resumed = std::accumulate(resumed.begin(), resumed.end(), std::int64_t{0});
    report().damaged = group_.gather_texts(solved.damaged);
  });
  if (matrix_left() && !report().damaged.empty()) report().pivots_resumed = 0;
}

/// Writes all but the distances. The stored report has the times known so far.
void SolveFlow::write() {
  group_.run_local([&] {
    if (group_.first()) {
      write_planes();
      if (output_ != nullptr) {
        report().seconds_store = seconds_storing();
        note_total();
        if (stores_factor()) sparse::write_factor(*factor_, *output_, options_.control);
        output_->commit(graph_, state_->metadata());
      }
    }
    if (matrix_ != nullptr) matrix_->discard();
  });
  report().seconds_store = seconds_storing();
}

void SolveFlow::note_total() {
  report().seconds_total = base::seconds_since(start_);
  report().bytes_resident = system::process_memory("VmHWM");
}

}  // namespace apsp::api

namespace apsp {
namespace {

std::int64_t bytes_of(const RowsInto& into, const Graph& graph, const SolveOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const std::int64_t rows = store::VertexList(options.question.sources).size(n);
  const std::int64_t columns = store::VertexList(options.question.targets).size(n);
  const std::int64_t stride = into.stride == 0 ? columns : into.stride;
  return rows == 0 ? 0 : ((rows - 1) * stride + columns) * std::int64_t{sizeof(double)};
}

/// A solve by one process, whose matrix is in memory or on disk.
class SolveAlone final : public api::SolveFlow {
 public:
  SolveAlone(engine::ProcessGroup& alone, const Graph& graph, const SolveOptions& given,
             const planner::FindDevices& find, const planner::RateSource& rates)
      : SolveFlow(alone, graph, given), find_(find), rates_(rates) {}

 private:
  void make_plan() override {
    system::EarlyPages pages(options_.consumer.into.values,
                             bytes_of(options_.consumer.into, graph_, options_),
                             system::thread_count(options_.machine.threads));
    // A resumed matrix keeps its width, and its plan states its needs.
    plan_ = matrix_left() ? planner::find_plan(graph_, options_, find_, rates_)
                          : planner::make_plan(graph_, options_, find_, rates_);
    pages.stop();
    if (matrix_left()) {
      plan_ = api::plan_again(*earlier_, {graph_, options_, find_, rates_}, plan_);
    }
    plan_.bytes = std::max(plan_.bytes, system::kept_by_measuring());
  }

  void open_matrix() override {
    const store::Layout in_memory = planner::layout_in_memory(plan_, options_);
    if (plan_.keeps_selection()) selected_ = store::make_memory_store(in_memory);
    if (plan_.on_disk()) matrix_ = api::open_matrix(graph_, plan_, options_, earlier_);
    if (plan_.keeps_matrix()) {
      store::Layout whole = in_memory;
      whole.selection = {};
      state_->store = store::make_memory_store(whole);
    }
  }

  bool predecessors_with_rows() const override {
    return planner::writes_predecessors_with_rows(plan_, options_);
  }

  engine::Solved compute(api::SolveSinks& sinks) override {
    engine::Solved solved =
        engine::solve_graph(graph_, plan_, state_->store.get(), options_.control, sinks.all(),
                            sinks.columns(), rows_left() ? output_.get() : nullptr, matrix_.get());
    if (options_.question.hops) {
      const auto counting = std::chrono::steady_clock::now();
      paths::write_hops(*state_->store, options_.control);
      solved.seconds += base::seconds_since(counting);
    }
    return solved;
  }

  void write_planes() override {
    for (const store::Plane plane : {store::Plane::via, store::Plane::hops}) {
      if (output_ == nullptr || !output_->holds(plane)) continue;
      flow::copy_plane(plane, *state_->store, *output_, plan_.threads, options_.control);
    }
    const store::Store* const rows = plan_.keeps_matrix() ? state_->store.get()
                                     : output_ != nullptr ? output_.get()
                                                          : selected_.get();
    store::Store* const target = output_ != nullptr      ? output_.get()
                                 : plan_.selection.all() ? state_->store.get()
                                                         : selected_.get();
    if (!options_.question.predecessors || target == nullptr) return;
    if (output_ != nullptr && predecessors_with_rows()) return;
    paths::write_predecessors(graph_, *rows, *target, plan_.threads, options_.control);
  }

  void keep() override {
    note_store_rate();
    if (!plan_.selection.all()) state_->store = std::move(selected_);
    state_->layout = planner::layout_in_memory(plan_, options_);
    if (plan_.keep == Keep::statistics) state_->store.reset();
    if (plan_.keep == Keep::factor) {
      state_->keep(std::make_unique<sparse::FactorRows>(factor_, plan_.sign),
                   plan_.signed_weights.get());
    }
  }

  /// Records the speed of the output without simultaneous statistics, unless these took too much.
  void note_store_rate() {
    constexpr double kTellingShare = 0.25;
    const bool whole_matrix = output_ != nullptr && !stores_factor() && !earlier_ && !matrix_;
    if (!whole_matrix || !rates_.stored || options_.question.predecessors) return;
    const double beside = report().seconds_store - plan_.predicted.statistics;
    if (beside <= kTellingShare * report().seconds_store) return;
    rates_.stored({.threads = plan_.threads,
                   .path = options_.storage.output,
                   .compress = options_.storage.compress},
                  static_cast<double>(planner::output_bytes(plan_, options_)), beside);
  }

  const planner::FindDevices& find_;
  const planner::RateSource& rates_;
};

}  // namespace

Result api::solve_among(const planner::FindDevices& find, const Graph& graph,
                        const SolveOptions& given, const planner::RateSource& rates) {
  engine::ProcessGroup alone;
  return SolveAlone(alone, graph, given, find, rates).run();
}

PlanReport api::plan_among(const planner::FindDevices& find, const Graph& graph,
                           const SolveOptions& options, const planner::RateSource& rates,
                           std::int64_t estimated_from) {
  const planner::PlanRequest asked{graph, options, find, rates, estimated_from};
  const planner::Plan plan = planner::find_plan(asked);
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
