#include "planner/rows_choice.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include "base/refusal.hpp"
#include "planner/device_rows_plan.hpp"
#include "planner/fitting.hpp"
#include "planner/memory.hpp"
#include "planner/prediction.hpp"
#include "search/device_predecessors.hpp"
#include "store/store.hpp"

namespace apsp::planner {
namespace {

/// Who counts the distances that an engine finds.
enum class Counts {
  by_rows,  ///< who takes the rows
  alone,    ///< the engine, where nobody takes the rows
  beside    ///< the engine, also while others take the rows
};

Counts who_counts(const RowsPlan& rows, const RowsProblem& problem, bool on_cuda) {
  const search::CountWay way = count_way(problem);
  if (on_cuda && !way.counts()) return Counts::by_rows;
  // A search's whole row would be added up at once, but for placed distances.
  const bool at_once = rows.searches() && !way.placed;
  if (on_cuda && at_once && problem.n > kernels::kCountedColumns) return Counts::by_rows;
  if (rows.factor() != nullptr) return Counts::beside;
  return on_cuda ? Counts::alone : Counts::by_rows;
}

/// What becomes of the rows of such an engine.
RowUses uses_of(const RowsPlan& rows, const SolveOptions& options, const Plan& plan, Counts who) {
  const bool of_all = plan.selection.all();
  const bool to_output = !options.output.empty() && plan.stored == Keep::matrix;
  const bool kept = plan.keep == Keep::matrix && !of_all;
  const bool into = options.into.values != nullptr;
  const bool passed_on = to_output || options.on_rows || options.on_device_rows || into || kept;
  RowUses uses;
  // Predecessors are found from the distances that an output holds, if there is one.
  uses.keeps_matrix =
      (plan.keep == Keep::matrix || (options.predecessors && options.output.empty())) && of_all;
  const bool asked_later = wants_pairs_alone(options) && plan.keep == Keep::factor;
  uses.computes_rows = !asked_later && (uses.keeps_matrix || options.statistics || passed_on);
  const bool by_factor = rows.factor() != nullptr;
  const bool counts = who == Counts::beside || (who == Counts::alone && !passed_on);
  const bool counted = counts && !uses.keeps_matrix && options.statistics;
  uses.gives_columns = counted && !passed_on;
  uses.counts_columns = counted && passed_on;
  // A row cannot be written to two places, and what an earlier run has left is counted by rows.
  const bool counted_by_rows = options.statistics && (!counted || options.resume);
  uses.stays_on_device = options.on_device_rows && !to_output && !options.on_rows && !into &&
                         !kept && !counted_by_rows;
  const bool one_place = (to_output ? 1 : 0) + (kept ? 1 : 0) + (into ? 1 : 0) == 1;
  uses.fills_rooms = by_factor && rows.factor()->trim == nullptr && one_place && !options.on_rows &&
                     !options.on_device_rows && !counted_by_rows &&
                     (!into || plan.type == ValueType::f64);
  return uses;
}

void put_on_devices(const PlanRequest& asked, const RowsProblem& problem,
                    const DevicePreference& preference, RowsPlan rows, Plan& plan) {
  const SolveOptions& options = asked.options;
  rows.uses.finds_predecessors =
      options.predecessors && !rows.uses.keeps_matrix && !rows.searches() &&
      search::DevicePredecessors::takes(asked.graph, problem.semiring, problem.type,
                                        problem.distance_bound);
  RowsOnDevices on = rows_on_devices(
      asked.graph, problem, {options.device_memory, options.output.empty() ? 0 : plan.chunk},
      named_device(preference, asked.find, asked.rates), std::move(rows));
  plan.on_device = std::move(on.devices);
  plan.way = std::move(on.rows);
}

}  // namespace

RowsProblem rows_problem(const Plan& plan) {
  return {.semiring = plan.semiring,
          .type = plan.type,
          .of_both_signs = plan.signed_weights != nullptr,
          .threads = plan.threads,
          .sign = plan.sign,
          .distance_bound = plan.distance_bound,
          .least_distance = plan.least_distance,
          .whole = plan.whole,
          .symmetric = plan.symmetric,
          .n = plan.n,
          .selection = plan.selection,
          .found = plan.estimates ? plan.estimates->found : SampledSearches(),
          .samples = plan.estimates ? std::shared_ptr<const elimination::TreeSamples>(
                                          plan.estimates, &plan.estimates->trees)
                                    : nullptr};
}
bool wants_pairs_alone(const SolveOptions& options) {
  return options.pairs > 0 && options.keep == Keep::automatic && !options.statistics &&
         options.output.empty() && options.into.values == nullptr && !options.on_device_rows;
}
bool may_store_factor(const SolveOptions& options, const Plan& plan) {
  const bool dissects = options.algorithm == Algorithm::automatic ||
                        options.algorithm == Algorithm::nested_dissection;
  return options.stored == Keep::automatic && store::is_zarr(options.output) &&
         !options.predecessors && plan.selection.all() && dissects;
}
Plan by_rows(Algorithm algorithm, const PlanRequest& of, const Plan& plan,
             const RowsProblem& problem) {
  const Graph& graph = of.graph;
  const SolveOptions& options = of.options;
  Plan other = on_cpu(graph, options, plan);
  other.algorithm = algorithm;
  const bool on_cuda = options.device == Device::cuda;
  RowsProblem asked = problem;
  asked.may_trim = options.keep == Keep::statistics && options.output.empty() && !on_cuda;
  if (wants_pairs_alone(options)) {
    asked.pairs = options.pairs;
    asked.pairs_memory = options.memory;
  }
  asked.control = options.control;
  const RowsPlan on_host = plan_rows_by(algorithm, graph, asked, on_cuda ? RateSource() : of.rates);
  const auto keep = [&](Keep kept) {
    other.keep = kept;
    RowsPlan rows = on_host;
    rows.uses = uses_of(rows, options, other, who_counts(rows, problem, on_cuda));
    if (on_cuda) {
      put_on_devices(of, problem, {options.device, options.device_ordinals}, std::move(rows),
                     other);
    } else {
      other.way = std::move(rows);
    }
    other.bytes = plan_memory(graph, options, other).peak();
  };
  keep(plan.keep);
  if (asked.pairs > 0 && algorithm == Algorithm::nested_dissection && !on_cuda &&
      on_host.costs.asking_seconds < on_host.costs.rows_seconds) {
    keep(Keep::factor);
    other.why.keep = "sooner for these pairs than rows";
  }
  const auto too_large = [&] {
    return algorithm == Algorithm::nested_dissection && !options.predecessors &&
           plan.selection.all() && plan.bytes > plan.bytes_allowed &&
           other.bytes > other.bytes_allowed;
  };
  if (options.keep == Keep::automatic && too_large()) {
    keep(Keep::factor);
    other.why.keep = "the matrix does not fit";
  }
  if (may_store_factor(options, plan) && other.stored == Keep::matrix && too_large()) {
    other.stored = Keep::factor;
    other.why.stored = "bands of all distances do not fit the memory";
    keep(other.keep);
  }
  other.disk.output = output_bytes(other, options);
  other.predicted = predict(other, graph.arc_count(), options, of.rates);
  return other;
}
std::string why_not_swept_instead(const Plan& plan, const RowsProblem& problem) {
  // The host's part of a directed graph's core is smaller, and a factor needs no sweeps.
  if (plan.rows()->factor()->trim || plan.leaves_factor()) return "gains nothing on a GPU";
  if (!plan.rows()->uses.computes_rows) return "computes no rows yet";
  return why_not_swept(problem);
}

Plan swept_instead(const PlanRequest& asked, Plan plan, const RowsProblem& problem) {
  RowsPlan rows = *plan.rows();
  rows.uses = uses_of(rows, asked.options, plan, who_counts(rows, problem, true));
  put_on_devices(asked, problem, {}, std::move(rows), plan);
  set_costs(asked, plan);
  return plan;
}

Plan factored(const PlanRequest& asked, const Plan& plan) {
  const SolveOptions& options = asked.options;
  if (options.algorithm != Algorithm::automatic &&
      options.algorithm != Algorithm::nested_dissection) {
    throw usage_error("{} makes no factor{}", name(options.algorithm), what_takes(asked));
  }
  const std::string why =
      why_not(Algorithm::nested_dissection, asked.graph, options, rows_problem(plan));
  if (!why.empty()) {
    throw usage_error("nested dissection, which makes the factor, {}{}", why, what_takes(asked));
  }
  return by_rows(Algorithm::nested_dissection, asked, plan, rows_problem(plan));
}
}  // namespace apsp::planner
