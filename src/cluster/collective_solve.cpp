#include "cluster/collective_solve.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "api/earlier_run.hpp"
#include "api/result.hpp"
#include "api/solve.hpp"
#include "base/seconds_since.hpp"
#include "cluster/band_distribution.hpp"
#include "cluster/checkpoints.hpp"
#include "cluster/cluster_plan.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/grid_run.hpp"
#include "engine/drive_sinks.hpp"
#include "engine/row_producer.hpp"
#include "engine/run.hpp"
#include "engine/solve_graph.hpp"
#include "flow/store_rows.hpp"
#include "paths/predecessor_rows.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "planner/plan_line.hpp"
#include "sparse/stored_factor.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/statistics_pass.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"
#include "verifier/row_verifier.hpp"

namespace apsp::cluster {
namespace {

/// The consumers of rows or columns of a process. `resumed`: an earlier run stored some of the
/// rows; they are available only as rows.
struct JobSinks {
  JobSinks(const Job& job, const Graph& graph, const planner::Plan& plan,
           const SolveOptions& options, store::Store* target, std::span<const Vertex> rows,
           bool resumed) {
    if (target != nullptr) output.emplace(*target, plan.threads);
    if (options.question.predecessors) predecessors.emplace(graph, *target, plan.threads);
    if (options.question.statistics && engine::emits_columns(plan) && !resumed) {
      // A device computes every ordered pair.
      const bool once = plan.rows()->uses.gives_columns && !plan.on_device && graph.symmetric() &&
                        plan.selection.all();
      swept.emplace(graph, plan.semiring, plan.type, plan.distance_bound, once, plan.selection);
    } else if (options.question.statistics) {
      statistics.emplace(graph, plan.semiring, plan.type, plan.distance_bound, plan.selection);
    }
    if (job.checks) {
      verifier.emplace(graph, plan.semiring, plan.type, *job.checks, plan.selection.sources);
    }
    for (flow::RowSink* const sink : all()) sink->expect(rows);
  }
  std::vector<flow::RowSink*> all() {
    std::vector<flow::RowSink*> sinks;
    if (output) sinks.push_back(&*output);
    if (predecessors) sinks.push_back(&*predecessors);
    if (statistics) sinks.push_back(&*statistics);
    if (verifier) sinks.push_back(&*verifier);
    return sinks;
  }

  std::optional<flow::StoreRows> output;
  std::optional<paths::PredecessorRows> predecessors;
  std::optional<statistics::StatisticsPass> statistics;
  std::optional<statistics::SweptStatistics> swept;
  std::optional<verifier::RowVerifier> verifier;
};

template <class Sink, class Take>
void add_up(Processes& processes, std::optional<Sink>& sink, const Take& take) {
  if (!sink) return;
  processes.apart([&] {
    const std::vector<base::ByteVector> all =
        processes.gather(processes.first() ? base::ByteVector{} : sink->found());
    for (std::size_t i = 1; i < all.size(); ++i) sink->add_found(all[i]);
  });
  if (processes.first()) take(*sink);
}

/// Returns this process's blocks of `rows` vertices in the best order of computation, distributed
/// block-cyclically.
std::vector<Vertex> distributed_blocks(std::span<const Vertex> best, std::span<const Vertex> some,
                                       std::int64_t rows, const Processes& processes) {
  const std::vector<Vertex> order = flow::in_bands(best, some, 0);
  std::vector<Vertex> mine;
  for (std::int64_t i = 0; i < std::ssize(order); ++i) {
    if (i / rows % processes.size() == processes.rank()) {
      mine.push_back(order[static_cast<std::size_t>(i)]);
    }
  }
  return mine;
}

class Solve {
 public:
  Solve(const Job& job, const Graph& graph, const SolveOptions& options)
      : job_(job), processes_(job.processes), graph_(graph), options_(options) {}

  CollectiveResult run() {
    make_plan();
    open_output();
    report_.seconds_prepare = seconds();
    plan_.rows() ? solve_by_rows() : solve_on_grid();
    complete_output();
    return result();
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return base::seconds_since(start_); }
  /// Process 0 stores the factor, which each process has made; all compute statistics.
  bool stores_factor() const { return plan_.stored == Keep::factor; }
  store::Store* target_of_rows() { return stores_factor() ? nullptr : target_.get(); }

  void make_plan() {
    earlier_ = earlier_run_of_all(processes_, options_);
    processes_.in_first([&] {
      if (earlier_) api::require_graph_of(*earlier_, graph_);
    });
    plan_ = collective_plan(job_, graph_, options_, earlier_);
    report_ = api::report_of(plan_);
    direct_ = goes_direct(job_, plan_);
    report_.plan = plan_line(job_, plan_, direct_);
    report_.grid = {job_.shape.rows, job_.shape.cols};
    if (processes_.first() && options_.on_plan) {
      PlanReport told = planner::plan_report(plan_);
      told.line = report_.plan;
      // in parts, reachability too with a byte for each pair
      if (!plan_.rows()) told.matrix_kept = true;
      options_.on_plan(told);
    }
    processes_.in_first([&] { engine::require_defined(graph_, plan_, options_.control); });
  }

  void open_output() {
    if (options_.storage.output.empty()) return;
    store::Layout layout = planner::layout_of(plan_, options_);
    if (stores_factor()) layout.planes.clear();
    const store::CreateOptions create{options_.storage.compress, nullptr};
    processes_.in_first([&] {
      target_ =
          api::open_output(graph_, plan_, options_, layout, rows_left() ? earlier_ : std::nullopt);
    });
    if (stores_factor()) return;
    const std::string place =
        processes_.share_text(target_ != nullptr ? target_->shared_place() : std::string());
    held_ = held_of_first();
    processes_.collective([&] {
      if (processes_.first()) return;
      target_ = api::fills_by_rows(plan_, options_)
                    ? store::join_resumable(store::posix_file_system(), place,
                                            {layout, options_.storage.compress, {}},
                                            processes_.rank(), held_)
                    : store::join_store(place, layout, create);
    });
  }

  bool rows_left() const { return earlier_ && !earlier_->contents.cut; }

  std::vector<std::int64_t> held_of_first() {
    std::vector<std::int64_t> held;
    const std::int64_t bands = processes_.first() ? BandDistribution{plan_}.count() : 0;
    for (std::int64_t band = 0; band < bands; ++band) {
      if (target_->holds_band(band)) held.push_back(band);
    }
    return processes_.of_first(std::move(held));
  }

  BandDistribution bands() const { return {plan_, processes_.size(), held_}; }

  /// The matrix of checkpoints, or of an earlier run; none if checkpoints are off.
  void open_matrix() {
    if (!job_.checkpoint_seconds && !earlier_) return;
    processes_.in_first(
        [&] { matrix_ = api::open_checkpoints(graph_, plan_, options_, earlier_); });
    const std::string place =
        processes_.share_text(matrix_ != nullptr ? matrix_->shared_place() : std::string());
    processes_.collective([&] {
      if (processes_.first()) return;
      const store::Layout layout{plan_.n, plan_.type, plan_.semiring,
                                 earlier_ ? earlier_->contents.head.layout.tile : plan_.tile()};
      matrix_ = std::make_unique<store::DiskMatrix>(
          store::Joined{}, store::posix_file_system(), place, layout,
          earlier_ ? earlier_->contents.cut : std::optional<store::Cut>());
    });
    if (matrix_->cut()) report_.pivots_resumed = matrix_->cut()->pivots;
  }

  /// Returns whether the grid resumes from a checkpoint. It does not if a process finds any of it
  /// damaged.
  bool read_checkpoint(GridRun& run) {
    if (matrix_ == nullptr || !matrix_->cut()) return false;
    std::vector<std::string> damaged;
    processes_.collective([&] {
      try {
        run.read(*matrix_, options_.control);
      } catch (const store::DamagedMatrix& damage) {
        damaged.push_back(damage.place());
      }
    });
    processes_.apart([&] { report_.damaged = processes_.gather_texts(damaged); });
    if (processes_.least(damaged.empty() ? 1 : 0) == 1) return true;
    processes_.first_then_others([&] { matrix_->begin_again(); });
    report_.pivots_resumed = 0;
    return false;
  }

  void solve_on_grid() {
    std::optional<GridRun> run;
    processes_.collective([&] { require_fit(job_, plan_); });
    open_matrix();
    processes_.collective([&] { run.emplace(processes_, job_.shape, plan_); });
    connect_gpus(job_, plan_, direct_, *run);
    if (!read_checkpoint(*run)) {
      processes_.collective([&] { run->fill(graph_, options_.control); });
    }
    std::optional<Checkpoints> checkpoints;
    if (job_.checkpoint_seconds) {
      const bool beside =
          processes_.least(copies_checkpoints(job_, graph_, options_, plan_) ? 1 : 0) == 1;
      checkpoints.emplace(processes_, *matrix_, *job_.checkpoint_seconds, beside);
    }
    const double began = seconds();
    run->solve(options_.control, checkpoints ? &*checkpoints : nullptr);
    if (options_.question.hops) run->count_edges();
    report_.seconds_solve = seconds() - report_.seconds_prepare;
    if (processes_.size() > 1 && plan_.n > 0) {
      const int nodes = bandwidth_nodes(processes_.size(), job_.of_machine);
      report_.bandwidth = effective_bandwidth(static_cast<double>(plan_.n), nodes,
                                              size_of(plan_.type), seconds() - began);
    }
    if (plan_.on_device) {
      report_.on_device = engine::report_of(*plan_.on_device);
      report_.on_device->seconds = seconds() - began;
    }
    take_over(run->bands().rows_of(processes_.rank()));
    GridRun::TakePlane planes;
    if (plan_.with_via) planes = [this](auto... band) { write_band(band...); };
    run->give_rows(sinks_->all(), planes);
    finish_takers();
  }

  /// [rows, n] of another plane than the distances.
  void write_band(store::Plane plane, std::int64_t first, std::int64_t rows, const void* values) {
    const std::int64_t tile = target_->layout().tile, tiles = (plan_.n + tile - 1) / tile;
    const std::int64_t size = store::value_size(target_->layout(), plane);
    system::parallel_for(tiles, plan_.threads, [&](std::int64_t tj) {
      const std::int64_t col = tj * tile;
      target_->write(plane, {first, col, rows, std::min(tile, plan_.n - col)},
                     static_cast<const std::byte*>(values) + col * size, plan_.n);
    });
  }

  void solve_by_rows() {
    processes_.collective([&] { require_fit(job_, plan_); });
    options_.storage.output.empty() || stores_factor() ? emit_rows() : write_rows_or_keep();
    report_.seconds_solve = seconds() - report_.seconds_prepare;
    finish_takers();
  }

  /// Emits rows to statistics and checks, without an output. If only a factor is stored, no rows
  /// are computed.
  void emit_rows() {
    engine::PlannedRows rows;
    std::int64_t block = 0;
    processes_.collective([&] {
      rows = engine::planned_rows(graph_, plan_, options_.control);
      block = rows.producer->block_rows(plan_.sources(), processes_.size());
    });
    factor_ = stores_factor() && processes_.first() ? rows.factor : nullptr;
    if (!plan_.rows()->uses.computes_rows) return take_over({});
    block = processes_.least(block);
    const std::vector<Vertex> mine = distributed_blocks(
        rows.producer->order(), plan_.selection.sources.of(plan_.n), block, processes_);
    take_over(mine);
    processes_.collective([&] { compute(*rows.producer, mine, block); });
  }

  /// Computes this process's share. `block`: sources at a time, equal in all processes; 0: chosen
  /// here.
  void compute(engine::RowProducer& producer, std::span<const Vertex> mine, std::int64_t block) {
    if (mine.empty()) return;
    statistics::SweptStatistics* const swept = sinks_->swept ? &*sinks_->swept : nullptr;
    report_.on_device = swept != nullptr && plan_.rows()->uses.gives_columns
                            ? producer.count(mine, *swept, block)
                            : producer.rows(mine, sinks_->all(), swept);
  }

  /// If writing is interrupted, complete bands of all processes reach the disk before the first
  /// decides whether the run can be resumed.
  void write_rows_or_keep() {
    try {
      write_rows();
    } catch (...) {
      sinks_.reset();
      if (processes_.in_step()) processes_.collective([] {});
      throw;
    }
  }

  /// A band that is found damaged is computed again.
  void write_rows() {
    const std::vector<std::int64_t> mine = bands().of(processes_.rank());
    std::vector<Vertex> missing = bands().rows_of(processes_.rank());
    const std::int64_t all = std::ssize(missing);
    take_over(missing);
    std::vector<std::string> damaged;
    if (rows_left()) {
      processes_.collective([&] {
        missing = engine::give_stored_rows(*target_, mine, sinks_->all(), plan_.threads,
                                           options_.control, &damaged);
      });
      processes_.apart([&] { report_.damaged = processes_.gather_texts(damaged); });
    }
    processes_.apart([&] {
      const auto resumed = processes_.gather_values(all - std::ssize(missing));
      report_.rows_resumed = std::accumulate(resumed.begin(), resumed.end(), std::int64_t{0});
    });
    if (processes_.least(-std::ssize(missing)) == 0 && rows_left()) return;  // no process lacks any
    processes_.collective([&] {
      compute(*engine::planned_rows(graph_, plan_, options_.control).producer, missing, 0);
    });
  }

  void take_over(std::span<const Vertex> rows) {
    processes_.collective([&] {
      sinks_.emplace(job_, graph_, plan_, options_, target_of_rows(), rows, rows_left());
    });
  }

  void finish_takers() {
    processes_.collective([&] {
      if (sinks_->output) sinks_->output->finish();
      if (sinks_->predecessors) sinks_->predecessors->finish();
      if (target_ != nullptr && !processes_.first()) target_->flush();
    });
    add_up(processes_, sinks_->statistics, [&](statistics::StatisticsPass& pass) {
      pass.finish();
      statistics_ = pass.statistics();
    });
    add_up(processes_, sinks_->swept,
           [&](statistics::SweptStatistics& swept) { statistics_ = swept.statistics(); });
    add_up(processes_, sinks_->verifier, [&](verifier::RowVerifier& verifier) {
      verifier.finish();
      verified_ = verifier.report();
    });
    sinks_.reset();
    if (!processes_.first()) target_.reset();  // with its journal, which process 0 removes
  }

  void complete_output() {
    processes_.in_first([&] {
      if (target_ == nullptr || stores_factor()) return;
      for (int other = 1; other < processes_.size(); ++other) {
        for (const std::int64_t band : bands().of(other)) target_->note_band(band);
      }
    });
  }

  CollectiveResult result() {
    auto state = std::make_unique<Result::State>();
    state->graph = graph_;
    state->layout = planner::layout_of(plan_, options_);
    state->statistics = std::move(statistics_);
    report_.seconds_store = seconds() - report_.seconds_prepare - report_.seconds_solve;
    report_.seconds_total = seconds();
    state->report = report_;
    processes_.collective([&] {
      if (factor_ != nullptr) {
        sparse::write_factor(*factor_, *target_, options_.control);
      }
      if (processes_.first() && target_ != nullptr) target_->commit(graph_, state->metadata());
      if (matrix_ != nullptr) matrix_->discard();
    });
    state->report.seconds_total = seconds();
    state->report.bytes_resident = system::process_memory("VmHWM");
    return {Result(std::move(state)), std::move(verified_)};
  }

  const Job& job_;
  Processes& processes_;
  const Graph& graph_;
  const SolveOptions& options_;
  Clock::time_point start_ = Clock::now();
  planner::Plan plan_;
  bool direct_ = false;
  SolveReport report_;
  std::optional<store::Resumable> earlier_;
  std::unique_ptr<store::Store> target_;
  std::vector<std::int64_t> held_;  // bands stored by an earlier run
  std::unique_ptr<store::DiskMatrix> matrix_;
  std::shared_ptr<const sparse::Factor> factor_;  // in process 0, to be stored
  std::optional<JobSinks> sinks_;
  std::optional<Statistics> statistics_;
  std::optional<VerifyReport> verified_;
};

}  // namespace

GridShape nearest_square(int count) {
  const int rows = square_side(count);
  return {.rows = rows, .cols = count / rows};
}

CollectiveResult collective_solve(const Job& job, const Graph& graph, const SolveOptions& options) {
  return Solve(job, graph, options).run();
}

}  // namespace apsp::cluster
