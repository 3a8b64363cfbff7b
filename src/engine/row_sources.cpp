#include "engine/row_sources.hpp"

#include <optional>

#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "elimination/trimmed_rows.hpp"
#include "engine/device_run.hpp"
#include "graph/negative_cycle.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "store/target_rows.hpp"

namespace apsp::engine {
namespace {

std::unique_ptr<store::RowSource> dijkstra_rows_of(const Graph& graph, const planner::Plan& plan,
                                                   const Control& control) {
  // Longest paths are shortest ones of −w.
  const WeightFacts& facts = graph.weight_facts();
  std::optional<Potentials> found;
  if (plan.semiring == Semiring::min_plus && facts.least < 0) {
    found = potentials(graph, 1, control, plan.threads);
  }
  if (plan.semiring == Semiring::max_plus && facts.greatest > 0) {
    found = potentials(graph, -1, control, plan.threads);
  }
  return search::dijkstra_rows(graph, plan.semiring, plan.type, found ? &*found : nullptr,
                               plan.distance_bound);
}

/// On the plan's device too, where it closes wide supernodes.
elimination::Factor eliminate_there_or_here(const Graph& graph, const planner::Plan& plan,
                                            elimination::EliminationOptions options) {
  const planner::RowsPlan& rows = *plan.rows;
  if (rows.closed_on_device == 0) return elimination::eliminate(graph, rows.tree, options);
  std::optional<elimination::Factor> factor;
  with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    options.closing = {devices.front(), rows.closed_on_device, rows.closed_tile};
    factor = elimination::eliminate(graph, rows.tree, options);
    return 0.0;
  });
  return std::move(*factor);
}

PlannedRows eliminated_rows(const Graph& graph, const planner::Plan& plan, const Control& control) {
  const elimination::EliminationOptions options{plan.semiring, plan.type, plan.sign, plan.cycles,
                                                plan.threads,  control,   {}};
  if (const auto& trim = plan.rows->trim) {
    return {std::make_unique<elimination::TrimmedRows>(
        *trim, elimination::eliminate(trim->core_graph, plan.rows->tree, options), plan.sign)};
  }
  auto factor =
      std::make_shared<const elimination::Factor>(eliminate_there_or_here(graph, plan, options));
  auto rows = std::make_unique<elimination::FactorRows>(factor, plan.sign, plan.selection.targets);
  return {std::move(rows), std::move(factor)};
}

PlannedRows all_rows(const Graph& graph, const planner::Plan& plan, const Control& control) {
  switch (plan.algorithm) {
    case Algorithm::johnson:
      return {dijkstra_rows_of(graph, plan, control)};
    case Algorithm::breadth_first:
      if (plan.semiring == Semiring::or_and) return {search::reachability_rows(graph)};
      return {search::breadth_first_rows(graph, plan.type)};
    default:
      return eliminated_rows(graph, plan, control);
  }
}

}  // namespace

PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control) {
  PlannedRows planned = all_rows(graph, plan, control);
  const std::vector<Vertex>& targets = plan.selection.targets;
  if (!targets.empty() && plan.rows->tree == nullptr) {
    planned.source = std::make_unique<store::TargetRows>(std::move(planned.source), targets);
  }
  return planned;
}

}  // namespace apsp::engine
