#include "api/solve_together.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>
#include <utility>

#include "api/solve_report.hpp"
#include "base/machine.hpp"
#include "base/units.hpp"
#include "engine/solve_graph.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/cluster.hpp"
#include "planner/layout.hpp"
#include "planner/memory.hpp"
#include "planner/plan_line.hpp"
#include "query/statistics_pass.hpp"
#include "reference/row_verifier.hpp"
#include "results/result_state.hpp"
#include "store/store_rows.hpp"

namespace apsp::api {
namespace {

using engine::GridRun;
using engine::GridShape;
using engine::Processes;

/// What one process alone does.
void require_offered(const SolveOptions& options) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::usage,
                what + " is not offered on several processes; start apsp without mpirun for it");
  };
  if (options.algorithm != Algorithm::automatic && options.algorithm != Algorithm::floyd_warshall) {
    refuse(fmt::format("--algorithm {}", name(options.algorithm)));
  }
  if (options.device == Device::cuda) refuse("--device cuda");
  if (!options.sources.empty() || !options.targets.empty()) refuse("a choice of rows or columns");
  if (options.via || options.hops) refuse("--via");
  if (options.predecessors) refuse("--predecessors");
  if (options.resume) refuse("--resume");
  if (options.stored == Keep::factor || options.keep == Keep::factor) refuse("--keep factor");
}

planner::Plan plan_of_process(const Job& job, const Graph& graph, SolveOptions options) {
  require_offered(options);
  options.algorithm = Algorithm::floyd_warshall;
  options.device = Device::cpu;
  options.keep = Keep::statistics;
  if (!options.output.empty()) options.stored = Keep::matrix;
  planner::Plan plan = planner::find_plan(graph, options, {});
  if (plan.signed_weights) {
    throw Error(ErrorKind::usage,
                "real weights of both signs are not offered on several processes; start apsp "
                "without mpirun for them");
  }
  plan.on_disk.reset();
  plan.keep = Keep::statistics;
  plan.shape = places::Shape::full;
  // Reachability is solved in bytes here, not in bits, and has no tile of its own.
  plan.tile = options.tile > 0 ? options.tile
                               : planner::choose_tile(
                                     plan.n, plan.threads * job.processes.count(),
                                     kernels::cpu::operations(plan.semiring, plan.type, plan.sign));
  plan.bytes = GridRun::bytes(job.shape, plan) + graph.memory_bytes();
  return plan;
}

/// Sizes that depend on the machine are those of process 0.
void adopt_sizes(Processes& processes, planner::Plan& plan) {
  base::ByteWriter writer;
  writer.put(plan.tile);
  const base::ByteVector of_first = processes.share(writer.take());
  base::ByteReader reader(of_first);
  plan.tile = reader.get<std::int64_t>();
}

void require_fit(const Job& job, const planner::Plan& plan) {
  if (plan.bytes * job.of_machine <= plan.bytes_allowed) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("each of {} processes on this machine needs {}, and there is room for {} "
                          "in all; take more machines",
                          job.of_machine, base::format_bytes(plan.bytes),
                          base::format_bytes(plan.bytes_allowed)));
}

/// Who takes the rows that a process puts together.
struct Takers {
  Takers(const Job& job, const Graph& graph, const planner::Plan& plan, const SolveOptions& options,
         store::Store* target, std::span<const Vertex> rows) {
    if (target != nullptr) output.emplace(*target, plan.threads);
    if (options.statistics) {
      statistics.emplace(graph, plan.semiring, plan.type, plan.distance_bound);
    }
    if (job.checks) verifier.emplace(graph, plan.semiring, plan.type, *job.checks);
    for (store::RowSink* const sink : all()) sink->expect(rows);
  }
  std::vector<store::RowSink*> all() {
    std::vector<store::RowSink*> sinks;
    if (output) sinks.push_back(&*output);
    if (statistics) sinks.push_back(&*statistics);
    if (verifier) sinks.push_back(&*verifier);
    return sinks;
  }

  std::optional<store::StoreRows> output;
  std::optional<query::StatisticsPass> statistics;
  std::optional<reference::RowVerifier> verifier;
};

/// What the processes have counted, added up in process 0.
template <class Sink>
void add_up(Processes& processes, Sink& sink) {
  processes.apart([&] {
    const std::vector<base::ByteVector> all =
        processes.gather(processes.first() ? base::ByteVector{} : sink.found());
    for (std::size_t i = 1; i < all.size(); ++i) sink.add_found(all[i]);
  });
  if (processes.first()) sink.finish();
}

class Solve {
 public:
  Solve(const Job& job, const Graph& graph, const SolveOptions& options)
      : job_(job), processes_(job.processes), graph_(graph), options_(options) {}

  Together run() {
    make_plan();
    open_output();
    report_.seconds_prepare = seconds();
    std::optional<GridRun> run;
    processes_.together([&] {
      require_fit(job_, plan_);
      run.emplace(processes_, job_.shape, plan_);
      run->fill(graph_, options_.control);
    });
    run->solve(options_.control);
    report_.seconds_solve = seconds() - report_.seconds_prepare;
    give_rows(*run);
    return result();
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void make_plan() {
    processes_.together([&] { plan_ = plan_of_process(job_, graph_, options_); });
    adopt_sizes(processes_, plan_);
    processes_.require_same("what it plans",
                            fmt::format("{} {} {} {} {} {}", name(plan_.type), plan_.n, plan_.chunk,
                                        job_.shape.rows, job_.shape.cols, graph_.digest()));
    report_ = report_of(plan_);
    report_.plan = fmt::format("{} floyd-warshall {} {} on {} × {} processes, {} threads each, {}",
                               base::format_count(plan_.n), name(plan_.semiring), name(plan_.type),
                               job_.shape.rows, job_.shape.cols, plan_.threads,
                               base::format_bytes(plan_.bytes));
    report_.grid_rows = job_.shape.rows;
    report_.grid_columns = job_.shape.cols;
    if (processes_.first() && options_.on_plan) {
      PlanReport told = planner::plan_report(plan_);
      told.line = report_.plan;
      options_.on_plan(told);
    }
    processes_.together([&] {
      if (processes_.first()) engine::require_defined(graph_, plan_, options_.control);
    });
  }

  void open_output() {
    if (options_.output.empty()) return;
    const store::Layout layout = planner::layout_of(plan_, options_);
    const store::CreateOptions create{options_.compress, nullptr};
    processes_.together([&] {
      if (processes_.first()) target_ = store::create_store(options_.output, layout, create);
    });
    const std::string place =
        processes_.share_text(target_ != nullptr ? target_->shared_place() : std::string());
    first_alone_ = place.empty();
    if (first_alone_) return;
    processes_.together([&] {
      if (!processes_.first()) target_ = store::join_store(place, layout, create);
    });
  }

  void give_rows(GridRun& run) {
    const std::vector<std::int64_t> mine = run.bands_of(processes_.me(), first_alone_);
    const std::vector<Vertex> rows = run.rows_of(mine);
    std::optional<Takers> takers;
    processes_.together(
        [&] { takers.emplace(job_, graph_, plan_, options_, target_.get(), rows); });
    run.give_rows(takers->all(), first_alone_);
    processes_.together([&] {
      if (takers->output) takers->output->finish();
      if (target_ != nullptr && !processes_.first()) target_->flush();
    });
    if (takers->statistics) {
      add_up(processes_, *takers->statistics);
      if (processes_.first()) statistics_ = takers->statistics->statistics();
    }
    if (takers->verifier) {
      add_up(processes_, *takers->verifier);
      if (processes_.first()) verified_ = takers->verifier->report();
    }
    takers.reset();
    if (target_ == nullptr || !processes_.first()) return;
    for (int other = 1; other < processes_.count(); ++other) {
      for (const std::int64_t band : run.bands_of(other, first_alone_)) target_->note_band(band);
    }
  }

  Together result() {
    auto state = std::make_unique<Result::State>();
    state->graph = graph_;
    state->layout = planner::layout_of(plan_, options_);
    state->statistics = std::move(statistics_);
    report_.seconds_store = seconds() - report_.seconds_prepare - report_.seconds_solve;
    report_.seconds_total = seconds();
    state->report = report_;
    processes_.together([&] {
      if (processes_.first() && target_ != nullptr) target_->commit(graph_, state->metadata());
    });
    state->report.seconds_total = seconds();
    state->report.bytes_resident = base::process_memory("VmHWM");
    return {Result(std::move(state)), std::move(verified_)};
  }

  const Job& job_;
  Processes& processes_;
  const Graph& graph_;
  const SolveOptions& options_;
  Clock::time_point start_ = Clock::now();
  planner::Plan plan_;
  SolveReport report_;
  std::unique_ptr<store::Store> target_;
  bool first_alone_ = false;  // process 0 alone writes the output
  std::optional<Statistics> statistics_;
  std::optional<VerifyReport> verified_;
};

}  // namespace

GridShape nearest_square(int count) {
  const int rows = planner::square_side(count);
  return {.rows = rows, .cols = count / rows};
}

Together solve_together(const Job& job, const Graph& graph, const SolveOptions& options) {
  return Solve(job, graph, options).run();
}

}  // namespace apsp::api
