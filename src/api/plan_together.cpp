#include "api/plan_together.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <limits>
#include <utility>

#include "api/earlier_run.hpp"
#include "base/processors.hpp"
#include "base/units.hpp"
#include "engine/shared_graph.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/memory.hpp"

namespace apsp::api {
namespace {

/// What one process alone does.
void require_offered(const SolveOptions& options) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::usage,
                what + " is not offered on several processes; start apsp without mpirun for it");
  };
  if (options.device == Device::cuda) refuse("--device cuda");
  if (options.via || options.hops) refuse("--via");
  if (options.predecessors) refuse("--predecessors");
  if (options.resume) refuse("--resume");
  if (options.stored == Keep::factor || options.keep == Keep::factor) refuse("--keep factor");
}

/// As one process of all threads, in any memory, would solve.
planner::Plan plan_as_one(const Job& job, const Graph& graph, SolveOptions options) {
  require_offered(options);
  options.device = Device::cpu;
  options.keep = Keep::statistics;
  if (!options.output.empty()) options.stored = Keep::matrix;
  options.threads = base::thread_count(options.threads) * job.processes.count();
  options.memory = std::numeric_limits<std::int64_t>::max();
  planner::Plan plan = planner::find_plan(graph, options, {});
  if (plan.signed_weights && !plan.rows) {
    throw Error(ErrorKind::usage,
                "Floyd-Warshall of real weights of both signs is not offered on several processes: "
                "take --algorithm johnson, or start apsp without mpirun");
  }
  plan.on_disk.reset();
  return plan;
}

void take_share_of_rows(const Job& job, const Graph& graph, const SolveOptions& options,
                        planner::Plan& plan) {
  planner::RowsPlan& rows = *plan.rows;
  const int processes = job.processes.count();
  for (std::int64_t* const bytes :
       {&rows.worker_bytes, &rows.columns_worker_bytes, &rows.block_bytes}) {
    *bytes = (*bytes + processes - 1) / processes;
  }
  if (job.checks) rows.gives_columns = false;  // who checks takes rows
  plan.bytes = planner::plan_memory(graph, options, plan).peak();
}

void take_share_of_grid(const Job& job, const Graph& graph, const SolveOptions& options,
                        planner::Plan& plan) {
  plan.shape = places::Shape::full;
  // Reachability is solved in bytes here, not in bits, and has no tile of its own.
  plan.tile = options.tile > 0 ? options.tile
                               : planner::choose_tile(
                                     plan.n, plan.threads * job.processes.count(),
                                     kernels::cpu::operations(plan.semiring, plan.type, plan.sign));
  plan.bytes = engine::GridRun::bytes(job.shape, plan) + graph.memory_bytes();
}

}  // namespace

planner::Plan plan_together(const Job& job, const Graph& graph, const SolveOptions& options) {
  engine::Processes& processes = job.processes;
  planner::Plan plan;
  processes.together([&] { plan = plan_as_one(job, graph, options); });
  const Algorithm algorithm = processes.of_first(plan.algorithm);
  processes.together([&] {
    if (plan.algorithm != algorithm) {
      SolveOptions named = options;
      named.algorithm = algorithm;
      plan = plan_as_one(job, graph, named);
    }
    plan.threads = base::thread_count(options.threads);
    plan.keep = Keep::statistics;
    plan.bytes_allowed = planner::allowed_bytes(options);
    plan.rows ? take_share_of_rows(job, graph, options, plan)
              : take_share_of_grid(job, graph, options, plan);
  });
  plan.tile = processes.of_first(plan.tile);
  if (processes.of_first(plan.rows && plan.rows->tree != nullptr)) {
    plan.rows->tree = engine::share_tree(processes, plan.rows->tree);
  }
  processes.require_same(
      "what it plans",
      fmt::format("{} {} {} {} {} {} {} {}", name(plan.algorithm), name(plan.type), plan.n,
                  plan.chunk, job.shape.rows, job.shape.cols, graph.digest(), rounding_of(plan)));
  return plan;
}

std::string plan_line(const Job& job, const planner::Plan& plan) {
  const std::string processes = plan.rows ? fmt::format("{}", job.processes.count())
                                          : fmt::format("{} × {}", job.shape.rows, job.shape.cols);
  return fmt::format("{} {} {} {} on {} processes, {} thread{} each, {}",
                     base::format_count(plan.n), name(plan.algorithm), name(plan.semiring),
                     name(plan.type), processes, plan.threads, plan.threads == 1 ? "" : "s",
                     base::format_bytes(plan.bytes));
}

void require_fit(const Job& job, const planner::Plan& plan) {
  if (plan.bytes * job.of_machine <= plan.bytes_allowed) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("each of {} processes on this machine needs {}, and there is room for {} "
                          "in all; take more machines",
                          job.of_machine, base::format_bytes(plan.bytes),
                          base::format_bytes(plan.bytes_allowed)));
}

}  // namespace apsp::api
