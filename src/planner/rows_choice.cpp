#include "planner/rows_choice.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include "planner/device_search_plan.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/memory.hpp"
#include "planner/prediction.hpp"
#include "store/store.hpp"

namespace apsp::planner {
namespace {

/// Which of its uses a plan by rows has. `counts_on_device`: a device counts what its searches
/// find.
void set_uses(RowsPlan& rows, const SolveOptions& options, ValueType type, Keep keep, Keep stored,
              bool counts_on_device) {
  const bool of_all = options.sources.empty() && options.targets.empty();
  const bool to_output = !options.output.empty() && stored == Keep::matrix;
  const bool kept = keep == Keep::matrix && !of_all;
  const bool into = options.into.values != nullptr;
  const bool passed_on = to_output || options.on_rows || into || kept;
  // Predecessors are found from the distances that an output holds, if there is one.
  rows.keeps_matrix =
      (keep == Keep::matrix || (options.predecessors && options.output.empty())) && of_all;
  const bool asked_later = wants_pairs_alone(options) && keep == Keep::factor;
  rows.computes_rows = !asked_later && (rows.keeps_matrix || options.statistics || passed_on);
  const bool counts = rows.tree != nullptr || (counts_on_device && !passed_on);
  const bool counted = counts && !rows.keeps_matrix && options.statistics;
  rows.gives_columns = counted && !passed_on;
  rows.counts_columns = counted && passed_on;
  // A row cannot be written to two places, and what an earlier run has left is counted by rows.
  const bool counted_by_rows = options.statistics && (!counted || options.resume);
  const bool one_place = (to_output ? 1 : 0) + (kept ? 1 : 0) + (into ? 1 : 0) == 1;
  rows.fills_rooms = rows.tree != nullptr && rows.trim == nullptr && one_place &&
                     !options.on_rows && !counted_by_rows && (!into || type == ValueType::f64);
}

}  // namespace

RowsProblem rows_problem(const Plan& plan) {
  return {.semiring = plan.semiring,
          .type = plan.type,
          .of_both_signs = plan.signed_weights != nullptr,
          .threads = plan.threads,
          .sign = plan.sign,
          .distance_bound = plan.distance_bound,
          .sources = plan.sources(),
          .targets = plan.targets(),
          .wanted = plan.selection.targets};
}
bool wants_pairs_alone(const SolveOptions& options) {
  return options.pairs > 0 && options.keep == Keep::automatic && !options.statistics &&
         options.output.empty() && options.into.values == nullptr;
}
bool may_store_factor(const SolveOptions& options) {
  const bool dissects = options.algorithm == Algorithm::automatic ||
                        options.algorithm == Algorithm::nested_dissection;
  return options.stored == Keep::automatic && store::is_zarr(options.output) &&
         !options.predecessors && options.sources.empty() && options.targets.empty() && dissects;
}
Plan by_rows(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
             const FindDevices& find, const RateSource& rates, const Plan& plan,
             const RowsProblem& problem) {
  Plan other = on_cpu(graph, options, plan);
  other.algorithm = algorithm;
  other.tile = 0;
  const bool on_cuda = options.device == Device::cuda;
  const bool hops = on_cuda && algorithm == Algorithm::breadth_first;
  const bool searches = hops || (on_cuda && algorithm == Algorithm::johnson);
  RowsProblem asked = problem;
  asked.may_trim = options.keep == Keep::statistics && options.output.empty() && !on_cuda;
  if (wants_pairs_alone(options)) asked.pairs = options.pairs;
  const RowsPlan on_host = plan_rows_by(algorithm, graph, asked, on_cuda ? RateSource() : rates);
  const auto keep = [&](Keep kept) {
    other.keep = kept;
    other.rows = on_host;  // a device's plan changes it, and is made anew for what is kept
    set_uses(*other.rows, options, problem.type, kept, other.stored,
             searches && counts_searched(problem, plan.n));
    if (on_cuda) {
      const NamedDevice device =
          named_device({options.device, options.device_ordinals}, find, rates);
      const std::int64_t memory = options.device_memory;
      const std::int64_t band = options.output.empty() ? 0 : plan.chunk;
      other.device = Device::cuda;
      other.on_device = hops       ? hops_on_device(graph, problem, memory, device, *other.rows)
                        : searches ? search_on_device(graph, problem, memory, device, *other.rows)
                                   : sweep_on_device(problem, memory, band, device, *other.rows);
    }
    other.bytes = plan_memory(graph, options, other).peak();
  };
  keep(plan.keep);
  if (asked.pairs > 0 && algorithm == Algorithm::nested_dissection && !on_cuda &&
      on_host.asking_seconds < on_host.rows_seconds) {
    keep(Keep::factor);
    other.why_keep = "sooner for these pairs than rows";
  }
  const auto too_large = [&] {
    return algorithm == Algorithm::nested_dissection && !options.predecessors &&
           plan.selection.all() && plan.bytes > plan.bytes_allowed &&
           other.bytes > other.bytes_allowed;
  };
  if (options.keep == Keep::automatic && too_large()) {
    keep(Keep::factor);
    other.why_keep = "the matrix does not fit";
  }
  if (may_store_factor(options) && other.stored == Keep::matrix && too_large()) {
    other.stored = Keep::factor;
    other.why_stored = "bands of all distances do not fit the memory";
    keep(other.keep);
  }
  other.bytes_disk = disk_bytes(other, options);
  other.predicted = predict(other, graph.arc_count(), options, rates);
  return other;
}
std::string why_not_swept_instead(const Graph& graph, const SolveOptions& options, const Plan& plan,
                                  const RowsProblem& problem) {
  // The host's part of a directed graph's core is smaller, and a factor needs no sweeps.
  if (plan.rows->trim || plan.leaves_factor()) return "is no gain on a GPU";
  if (!plan.rows->computes_rows) return "computes no rows yet";
  return why_not_swept(graph, options, problem);
}

Plan swept_instead(const Graph& graph, const SolveOptions& options, const FindDevices& find,
                   const RateSource& rates, Plan plan, const RowsProblem& problem) {
  plan.on_device =
      sweep_on_device(problem, options.device_memory, options.output.empty() ? 0 : plan.chunk,
                      named_device({Device::automatic, {}}, find, rates), *plan.rows);
  plan.device = Device::cuda;
  plan.bytes = plan_memory(graph, options, plan).peak();
  plan.predicted = predict(plan, graph.arc_count(), options, rates);
  return plan;
}

Plan factored(const Graph& graph, const SolveOptions& options, const FindDevices& find,
              const RateSource& rates, const Plan& plan) {
  if (options.algorithm != Algorithm::automatic &&
      options.algorithm != Algorithm::nested_dissection) {
    throw Error(ErrorKind::usage, fmt::format("{} leaves no factor; --algorithm nested-dissection "
                                              "does",
                                              name(options.algorithm)));
  }
  const std::string why = why_not(Algorithm::nested_dissection, graph, options, rows_problem(plan));
  if (!why.empty()) {
    throw Error(ErrorKind::usage,
                "nested dissection, which leaves the factor, " + why + "; keep the matrix instead");
  }
  return by_rows(Algorithm::nested_dissection, graph, options, find, rates, plan,
                 rows_problem(plan));
}
}  // namespace apsp::planner
