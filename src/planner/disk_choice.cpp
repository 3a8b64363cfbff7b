#include "planner/disk_choice.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "planner/memory.hpp"
#include "planner/prediction.hpp"

namespace apsp::planner {
namespace {

std::int64_t generation_bytes(const Plan& plan) { return plan.n * plan.n * size_of(plan.type); }

/// Both generations, and the graph beside them.
std::int64_t scratch_bytes(const Graph& graph, const Plan& plan) {
  constexpr std::int64_t kArc = 12, kVertex = 8;
  return 2 * generation_bytes(plan) + graph.arc_count() * kArc + plan.n * kVertex;
}

/// What the disk must hold at a time. One generation is gone before a .zarr is filled; an .npy is
/// claimed at the beginning.
std::int64_t needed_disk(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  const std::int64_t freed =
      options.output.ends_with(".npy") ? 0 : std::min(plan.disk.output, generation_bytes(plan));
  return scratch_bytes(graph, plan) + plan.disk.output - freed;
}

/// The plan without its steps.
Plan prepared(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  Plan other = on_cpu(graph, options, plan);
  other.shape = places::Shape::full;
  other.disk.scratch = scratch_bytes(graph, plan);
  other.way = DensePlan{other.tile(), places::DiskPlan()};
  if (options.keep == Keep::automatic && plan.selection.all()) {
    other.keep = Keep::statistics;
    other.why.keep = "the matrix does not fit; the output holds it";
  }
  return other;
}

places::DiskProblem problem_of(const Graph& graph, const SolveOptions& options, const Plan& plan,
                               std::int64_t tile) {
  const MemoryPlan memory = plan_memory(graph, options, plan);
  return {.n = plan.n,
          .tile = tile,
          .memory = plan.bytes_allowed - memory.runtime - memory.graph,
          .threads = plan.threads};
}

void set_steps(const PlanRequest& asked, const places::DiskPlan& steps, Plan& plan) {
  plan.way = DensePlan{steps.tile, steps};
  set_costs(asked, plan);
}

}  // namespace

std::string why_not_on_disk(const Graph& graph, const SolveOptions& options, const Plan& plan) {
  if (options.output.empty()) return "only next to an output (-o OUT.zarr)";
  if (options.device == Device::cuda) return "only by the CPU";
  if (plan.with_via) return "intermediate vertices are found only in memory";
  if (plan.semiring == Semiring::or_and) return "reachability is found in packed bits, in memory";
  if (plan.signed_weights) return "sums of real weights of both signs are found only in memory";
  if (plan.selection.all() && (options.keep == Keep::matrix || options.keep == Keep::factor)) {
    return "a matrix in memory was asked for";
  }
  const std::int64_t needed = needed_disk(graph, options, plan), room = allowed_disk(options);
  if (needed <= room) return {};
  return fmt::format("needs {} of disk, and there is room for {}", base::format_bytes(needed),
                     base::format_bytes(room));
}

Plan on_disk(const PlanRequest& asked, const Plan& plan) {
  Plan other = prepared(asked.graph, asked.options, plan);
  const places::DiskProblem problem = problem_of(asked.graph, asked.options, other, other.tile());
  set_steps(asked, places::plan_disk(problem, operations_of(other)), other);
  return other;
}

Plan on_disk_again(const Graph& graph, const SolveOptions& options, const RateSource& rates,
                   const Plan& plan, const DiskSteps& steps) {
  refuse_if(plan.algorithm != Algorithm::floyd_warshall,
            "{}: the earlier run left a matrix of floyd-warshall; leave --algorithm {} out",
            options.output, name(plan.algorithm));
  if (const std::string why = why_not_on_disk(graph, options, plan); !why.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the earlier run left a matrix on disk: {}", options.output, why));
  }
  Plan other = plan.on_disk() ? plan : prepared(graph, options, plan);
  const places::DiskProblem problem = problem_of(graph, options, other, steps.tile);
  const kernels::TileOperations operations = operations_of(other);
  places::DiskPlan again = places::plan_disk(problem, operations);
  again.tile = steps.tile;
  again.band = steps.band;
  again = places::with_width(again, steps.width, problem, operations);
  while (plan.unit_roundoff == 0 && again.bytes > problem.memory && again.width > again.band) {
    again = places::with_width(again, again.width - again.band, problem, operations);
  }
  set_steps({graph, options, FindDevices(), rates}, again, other);
  if (other.fits()) return other;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format(
          "{}: continuing this run needs {} of memory, and {} may be used; --memory {} is enough",
          options.output, base::format_bytes(other.bytes), base::format_bytes(other.bytes_allowed),
          option_size(other.bytes)));
}

}  // namespace apsp::planner
