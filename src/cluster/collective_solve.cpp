#include "cluster/collective_solve.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "api/earlier_run.hpp"
#include "api/solve.hpp"
#include "base/seconds_since.hpp"
#include "cluster/band_distribution.hpp"
#include "cluster/checkpoints.hpp"
#include "cluster/cluster_plan.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/grid_run.hpp"
#include "engine/run.hpp"
#include "engine/solve_graph.hpp"
#include "statistics/column_statistics.hpp"
#include "statistics/statistics_pass.hpp"
#include "system/threads.hpp"
#include "verifier/row_verifier.hpp"

namespace apsp::cluster {
namespace {

template <class Sink, class Take>
void add_up(Processes& processes, std::optional<Sink>& sink, const Take& take) {
  if (!sink) return;
  processes.communicate([&] {
    const std::vector<base::ByteVector> all =
        processes.gather(processes.first() ? base::ByteVector{} : sink->found());
    for (std::size_t i = 1; i < all.size(); ++i) sink->add_found(all[i]);
  });
  if (processes.first()) take(*sink);
}

/// A solve by the processes of a job: Floyd-Warshall on their grid, or a share of the rows each.
class Solve final : public api::SolveFlow {
 public:
  Solve(const Job& job, const Graph& graph, const SolveOptions& options)
      : SolveFlow(job.processes, graph, options), job_(job), processes_(job.processes) {}

  std::optional<VerifyReport> take_verified() { return std::move(verified_); }

 private:
  void make_plan() override {
    plan_ = collective_plan(job_, graph_, options_, earlier_);
    direct_ = goes_direct(job_, plan_);
  }

  void describe(SolveReport& report) const override {
    report.plan = plan_line(job_, plan_, direct_);
    report.grid = {job_.shape.rows, job_.shape.cols};
  }
  void describe(PlanReport& report) const override {
    report.line = plan_line(job_, plan_, direct_);
    // in parts, reachability too with a byte for each pair
    if (!plan_.rows()) report.matrix_kept = true;
  }

  BandDistribution bands() const { return {plan_, processes_.size(), held_}; }

  /// The matrix of checkpoints, or of an earlier run; none if checkpoints are off.
  void open_matrix() override {
    processes_.run_local([&] { require_fit(job_, plan_); });
    if (plan_.rows() || (!job_.checkpoint_seconds && !earlier_)) return;
    processes_.in_first(
        [&] { matrix_ = api::open_checkpoints(graph_, plan_, options_, earlier_); });
    const std::string place =
        processes_.share_text(matrix_ != nullptr ? matrix_->shared_place() : std::string());
    processes_.run_local([&] {
      if (processes_.first()) return;
      const store::Layout layout{plan_.n, plan_.type, plan_.semiring,
                                 earlier_ ? earlier_->contents.head.layout.tile : plan_.tile()};
      matrix_ = std::make_unique<store::DiskMatrix>(
          store::Joined{}, store::posix_file_system(), place, layout,
          earlier_ ? earlier_->contents.checkpoint : std::optional<store::Checkpoint>());
    });
  }

  bool predecessors_with_rows() const override { return options_.question.predecessors; }

  engine::Solved compute(api::SolveSinks& sinks) override {
    if (job_.checks) {
      processes_.run_local([&] {
        verifier_.emplace(graph_, plan_.semiring, plan_.type, *job_.checks,
                          plan_.selection.sources);
      });
    }
    engine::Solved solved = plan_.rows() ? compute_rows_or_keep(sinks) : compute_on_grid(sinks);
    finish(sinks);
    return solved;
  }

  std::vector<flow::RowSink*> all(api::SolveSinks& sinks) {
    std::vector<flow::RowSink*> all = sinks.all();
    if (verifier_) all.push_back(&*verifier_);
    return all;
  }

  /// Returns whether the grid resumes from a checkpoint. It does not if a process finds any of it
  /// damaged.
  bool read_checkpoint(GridRun& run, std::vector<std::string>& damaged) {
    if (matrix_ == nullptr || !matrix_->checkpoint()) return false;
    processes_.run_local([&] {
      try {
        run.read(*matrix_, options_.control);
      } catch (const store::DamagedMatrix& damage) {
        damaged.push_back(damage.place());
      }
    });
    if (processes_.least(damaged.empty() ? 1 : 0) == 1) return true;
    processes_.first_then_others([&] { matrix_->begin_again(); });
    return false;
  }

  engine::Solved compute_on_grid(api::SolveSinks& sinks) {
    const auto start = std::chrono::steady_clock::now();
    engine::Solved solved;
    std::optional<GridRun> run;
    processes_.run_local([&] { run.emplace(processes_, job_.shape, plan_); });
    connect_gpus(job_, plan_, direct_, *run);
    if (!read_checkpoint(*run, solved.damaged)) {
      processes_.run_local([&] { run->fill(graph_, options_.control); });
    }
    std::optional<Checkpoints> checkpoints;
    if (job_.checkpoint_seconds) {
      const bool in_background =
          processes_.least(copies_checkpoints(job_, graph_, options_, plan_) ? 1 : 0) == 1;
      checkpoints.emplace(processes_, *matrix_, *job_.checkpoint_seconds, in_background);
    }
    const auto began = std::chrono::steady_clock::now();
    run->solve(options_.control, checkpoints ? &*checkpoints : nullptr);
    if (options_.question.hops) run->count_edges();
    solved.seconds = base::seconds_since(start);
    const double running = base::seconds_since(began);
    if (processes_.size() > 1 && plan_.n > 0) {
      const int nodes = bandwidth_nodes(processes_.size(), job_.of_machine);
      report().bandwidth =
          effective_bandwidth(static_cast<double>(plan_.n), nodes, size_of(plan_.type), running);
    }
    if (plan_.on_device) {
      solved.on_device = engine::report_of(*plan_.on_device);
      solved.on_device->seconds = running;
    }
    processes_.run_local([&] {
      for (flow::RowSink* const sink : all(sinks)) {
        sink->expect(run->bands().rows_of(processes_.rank()));
      }
    });
    GridRun::TakePlane planes;
    if (plan_.with_via) planes = [this](auto... band) { write_band(band...); };
    run->push_rows(all(sinks), planes);
    return solved;
  }

  /// [rows, n] of another plane than the distances.
  void write_band(store::Plane plane, std::int64_t first, std::int64_t rows, const void* values) {
    const std::int64_t tile = output_->layout().tile, tiles = (plan_.n + tile - 1) / tile;
    const std::int64_t size = store::value_size(output_->layout(), plane);
    system::parallel_for(tiles, plan_.threads, [&](std::int64_t tj) {
      const std::int64_t col = tj * tile;
      output_->write(plane, {first, col, rows, std::min(tile, plan_.n - col)},
                     static_cast<const std::byte*>(values) + col * size, plan_.n);
    });
  }

  engine::Solved compute_rows(api::SolveSinks& sinks) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<flow::RowSink*> to = all(sinks);
    engine::RowsToSolve task{.sinks = to,
                             .columns = sinks.columns(),
                             .earlier = rows_left() ? output_.get() : nullptr,
                             .group = &processes_};
    if (writes_rows()) task.bands = bands().of(processes_.rank());
    engine::Solved solved = engine::solve_rows(graph_, plan_, options_.control, task);
    solved.seconds = base::seconds_since(start);
    return solved;
  }

  bool writes_rows() const { return !options_.storage.output.empty() && !stores_factor(); }

  /// If writing is interrupted, complete bands of all processes reach the disk before the first
  /// decides whether the run can be resumed.
  engine::Solved compute_rows_or_keep(api::SolveSinks& sinks) {
    try {
      return compute_rows(sinks);
    } catch (...) {
      if (!writes_rows()) throw;
      sinks.output.reset(), sinks.predecessors.reset();
      if (processes_.in_step()) processes_.run_local([] {});
      throw;
    }
  }

  void finish(api::SolveSinks& sinks) {
    processes_.run_local([&] {
      if (sinks.output) sinks.output->finish();
      if (sinks.predecessors) sinks.predecessors->finish();
      if (output_ != nullptr && !processes_.first()) output_->flush();
    });
    add_up(processes_, sinks.statistics, [](statistics::StatisticsPass& pass) { pass.finish(); });
    add_up(processes_, sinks.column_statistics, [](statistics::ColumnStatistics&) {});
    add_up(processes_, verifier_, [&](verifier::RowVerifier& verifier) {
      verifier.finish();
      verified_ = verifier.report();
    });
    verifier_.reset();
    if (processes_.first()) return;
    sinks.output.reset(), sinks.predecessors.reset();
    output_.reset();  // with its journal, which process 0 removes
  }

  /// The planes are written: notes the bands of all processes in the output of the first.
  void write_planes() override {
    if (!writes_rows()) return;
    for (int other = 1; other < processes_.size(); ++other) {
      for (const std::int64_t band : bands().of(other)) output_->note_band(band);
    }
  }

  const Job& job_;
  Processes& processes_;
  bool direct_ = false;
  std::optional<verifier::RowVerifier> verifier_;
  std::optional<VerifyReport> verified_;
};

}  // namespace

GridShape nearest_square(int count) {
  const int rows = square_side(count);
  return {.rows = rows, .cols = count / rows};
}

CollectiveResult collective_solve(const Job& job, const Graph& graph, const SolveOptions& options) {
  Solve solve(job, graph, options);
  Result result = solve.run();
  return {std::move(result), solve.take_verified()};
}

}  // namespace apsp::cluster
