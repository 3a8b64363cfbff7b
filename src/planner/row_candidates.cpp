#include "planner/row_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "flow/restored_rows.hpp"
#include "paths/device_predecessors.hpp"
#include "planner/device_model.hpp"
#include "planner/device_search_plan.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/eligibility.hpp"
#include "planner/findings.hpp"
#include "planner/prediction.hpp"
#include "planner/search_candidates.hpp"
#include "planner/sparse_candidates.hpp"

namespace apsp::planner {
RowUses uses_of(RowConsumers consumers, Counting counting) {
  if (consumers == RowConsumers::matrix) return {};
  const bool consumed = consumers != RowConsumers::nobody;
  const bool by_columns = counting == Counting::by_columns;
  // Rows that are counted one by one are passed on, whoever takes them.
  const bool by_rows = counting == Counting::by_rows;
  return {.keeps_matrix = false,
          .computes_rows = consumed || counting != Counting::nobody,
          .gives_columns = !consumed && by_columns,
          .counts_columns = consumed && by_columns,
          .stays_on_device = consumers == RowConsumers::device_callback && !by_rows,
          .writes_views = consumers == RowConsumers::one_place && !by_rows};
}

namespace {

/// Adds what distances cost from reduced lengths: seconds, and copied columns.
void add_restoring(const Problem& problem, RowCosts& costs) {
  constexpr double kPair = 1.2e-9;  // s (bench/attempts.md)
  const double seconds = kPair * static_cast<double>(problem.sources()) *
                         static_cast<double>(problem.targets()) / problem.threads;
  costs.rows_seconds += seconds;
  costs.columns_seconds += seconds;
  costs.worker_bytes += problem.threads * flow::RestoredRows::kWorkerBytes;
  costs.columns_worker_bytes += problem.threads * flow::RestoredRows::kWorkerBytes;
}

/// Whether the engine counts the distances that it computes. `passed_on`: others receive them too.
bool engine_counts(const RowsPlan& rows, const Problem& problem, bool on_cuda, bool passed_on) {
  const statistics::CountMethod method = count_method(problem);
  if (on_cuda && !method.counts()) return false;
  // A row of a search is counted at once, unless distances are binned.
  const bool at_once = rows.searches() && !method.binned;
  if (on_cuda && at_once && problem.n > kernels::kCountedColumns) return false;
  return rows.factor() != nullptr || (on_cuda && !passed_on);
}

}  // namespace

RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const Problem& problem,
                      const RowsMeans& means) {
  const auto plan_by = eliminates(algorithm) ? plan_elimination : plan_searches;
  RowsPlan plan = plan_by(algorithm, graph, problem, means);
  plan.algorithm = algorithm;
  if (problem.signed_weights) add_restoring(problem, plan.costs);
  return plan;
}

RowUses RowCandidates::uses(const RowsPlan& rows, const Plan& plan, bool on_cuda) const {
  const SolveOptions& options = asked_.options;
  if (problem_.pairs > 0 && plan.keep == Keep::factor) {
    return uses_of(RowConsumers::nobody, Counting::nobody);
  }
  const bool all = plan.selection.all();
  // Predecessors follow from the distances of an output, if there is one.
  if (all && (plan.keep == Keep::matrix ||
              (options.question.predecessors && options.storage.output.empty()))) {
    return uses_of(RowConsumers::matrix, Counting::by_rows);
  }
  const bool to_output = !options.storage.output.empty() && plan.stored == Keep::matrix;
  const bool into = options.consumer.into.values != nullptr;
  const int places = (to_output ? 1 : 0) + (plan.keeps_selection() ? 1 : 0) + (into ? 1 : 0);
  const bool passed_on = places > 0 || options.consumer.on_rows || options.consumer.on_device_rows;
  const Counting counting = !options.question.statistics                    ? Counting::nobody
                            : engine_counts(rows, plan, on_cuda, passed_on) ? Counting::by_columns
                                                                            : Counting::by_rows;
  if (!passed_on) return uses_of(RowConsumers::nobody, counting);
  if (places == 0 && !options.consumer.on_rows)
    return uses_of(RowConsumers::device_callback, counting);
  // A row cannot be written to two places, and rows of an earlier run are counted by rows.
  const bool written =
      places == 1 && !options.consumer.on_rows && !options.consumer.on_device_rows &&
      !(options.storage.resume && options.question.statistics) && rows.factor() != nullptr &&
      rows.factor()->trim == nullptr && (!into || plan.type == ValueType::f64);
  return uses_of(written ? RowConsumers::one_place : RowConsumers::several, counting);
}

Planned RowCandidates::kept_as(const DevicePreference& preference, RowsPlan rows, Plan plan,
                               double best) const {
  const SolveOptions& options = asked_.options;
  const bool on_cuda = preference.device == Device::cuda;
  rows.uses = uses(rows, plan, on_cuda);
  if (on_cuda) {
    plan.why.device.clear();  // it is about the matrix
    rows.uses.finds_predecessors = options.question.predecessors && plan.selection.all() &&
                                   !rows.uses.keeps_matrix && !rows.searches() &&
                                   paths::DevicePredecessors::takes(asked_.graph, plan.semiring,
                                                                    plan.type, plan.distance_bound);
    const NamedDevice& named = asked_.gpus.named(preference);
    if (named.taken.empty()) return Refusal{ErrorKind::device, named.why_none};
    const DeviceFacts& first = named.taken.front();
    DeviceMeans means{.memory = options.machine.device_memory,
                      .band = options.storage.output.empty() ? 0 : plan.chunk,
                      .best = best,
                      .link = link_rates(asked_.rates, first),
                      .rates = device_row_rates(asked_.rates, first, 0),
                      .sample = asked_.rates.sample_on_device};
    RowsOnDevices on = rows_on_devices(asked_.graph, problem_, means, named, rows);
    if (!means.rates && on.devices.fits()) {
      means.rates = device_row_rates(asked_.rates, first, on.devices.seconds);
      if (means.rates) on = rows_on_devices(asked_.graph, problem_, means, named, std::move(rows));
    }
    if (!on.devices.fits()) {
      return Refusal{ErrorKind::does_not_fit, std::move(on.devices.too_small), on.devices.bytes};
    }
    plan.on_device = std::move(on.devices);
    rows = std::move(on.rows);
  }
  plan.method = std::move(rows);
  set_costs(asked_, plan);
  return plan;
}

Planned RowCandidates::on(const DevicePreference& preference, Algorithm algorithm,
                          double best) const {
  const SolveOptions& options = asked_.options;
  const bool on_cuda = preference.device == Device::cuda;
  const bool dissects = algorithm == Algorithm::nested_dissection;
  const RateSource assumed;
  const RowsMeans means{.findings = *asked_.findings,
                        .rates = on_cuda ? assumed : asked_.rates,
                        .control = options.control,
                        .may_trim = options.storage.keep == Keep::statistics &&
                                    options.storage.output.empty() && !on_cuda,
                        .pairs_memory = options.machine.memory,
                        .best = best};
  const bool reduces = problem_.signed_weights && !problem_.signed_weights->potentials.cycle;
  const Graph& graph = reduces ? problem_.signed_weights->reduced : asked_.graph;
  const RowsPlan on_host = plan_rows_by(algorithm, graph, problem_, means);
  Plan begun(problem_);
  begun.algorithm = algorithm;
  if (problem_.kernel().in_bits()) begun.shape = dense::Shape::full;
  begun.why.device = matrix_.why.device;
  const bool sooner_asked = problem_.pairs > 0 && dissects && !on_cuda &&
                            on_host.costs.asking_seconds < on_host.costs.rows_seconds;
  if (sooner_asked) {
    begun.keep = Keep::factor;
    begun.why.keep = "sooner for these pairs than rows";
  }
  Planned found = kept_as(preference, on_host, begun, best);
  const auto too_large = [&] {
    const Plan* const plan = std::get_if<Plan>(&found);
    return plan != nullptr && dissects && !options.question.predecessors &&
           problem_.selection.all() && !matrix_.fits_memory() && !plan->fits_memory();
  };
  const auto keep_factor = [&](Keep& kept, std::string& why, const char* reason) {
    kept = Keep::factor;
    why = reason;
    found = kept_as(preference, on_host, begun, best);
  };
  if (options.storage.keep == Keep::automatic && too_large()) {
    keep_factor(begun.keep, begun.why.keep, "the matrix does not fit");
  }
  if (may_store_factor(options, problem_) && begun.stored == Keep::matrix && too_large()) {
    keep_factor(begun.stored, begun.why.stored, "bands of all distances do not fit the memory");
  }
  return found;
}

std::vector<Candidate> RowCandidates::candidates(Algorithm algorithm, double best) const {
  std::vector<Candidate> list;
  Planned planned = by(algorithm, best);
  const Plan* const plan = std::get_if<Plan>(&planned);
  if (plan != nullptr && plan->rows()->factor() &&
      asked_.options.machine.device == Device::automatic &&
      pays_for_driver(std::min(best, plan->rows()->seconds()), asked_.rates, asked_.gpus)) {
    list.emplace_back(algorithm, swept_instead(*plan));
  }
  list.emplace_back(algorithm, std::move(planned));
  return list;
}

Planned RowCandidates::swept_instead(const Plan& on_host) const {
  const RowsPlan& rows = *on_host.rows();
  // The host's work on a directed graph's core is smaller, and a factor needs no sweeps.
  std::string why = rows.factor()->trim || on_host.leaves_factor() ? "gains nothing on a GPU"
                    : !rows.uses.computes_rows                     ? "computes no rows yet"
                                                                   : why_not_swept(problem_);
  if (why.empty() && asked_.gpus.all().list.empty()) why = asked_.gpus.all().why_none;
  if (!why.empty()) return Refusal{.cause = std::move(why)};
  return kept_as({Device::cuda}, rows, on_host, on_host.work_seconds());
}

Planned RowCandidates::factored() const {
  constexpr Algorithm kMaker = Algorithm::nested_dissection;
  const SolveOptions& options = asked_.options;
  const bool other =
      options.method.algorithm != Algorithm::automatic && options.method.algorithm != kMaker;
  // Causes that remain with another device or algorithm come first.
  std::string why;
  if (problem_.signed_weights && problem_.stored == Keep::factor) {
    why =
        "a stored factor holds no potentials, which real weights of both signs need: keep the "
        "factor in memory, or the matrix";
  } else if (why = why_not(kMaker, asked_.graph, options, problem_); !why.empty()) {
    why = fmt::format("nested dissection, which makes the factor, {}", why);
  } else if (other) {
    why = fmt::format("{} makes no factor", name(options.method.algorithm));
  }
  if (!why.empty()) return Refusal{.cause = std::move(why), .of_method = true};
  return by(kMaker);
}

RowsOnDevices rows_on_devices(const Graph& graph, const Problem& problem, const DeviceMeans& means,
                              const NamedDevice& devices, RowsPlan rows) {
  return rows.factor() != nullptr
             ? sweeps_on_devices(graph.arc_count(), problem, means, devices, std::move(rows))
             : searches_on_devices(graph, problem, means, devices, std::move(rows));
}

}  // namespace apsp::planner
