#include "engine/row_sources.hpp"

#include <optional>

#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "elimination/trimmed_rows.hpp"
#include "engine/row_producer.hpp"
#include "engine/run.hpp"
#include "graph/negative_cycle.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "store/row_source.hpp"

namespace apsp::engine {
namespace {

std::unique_ptr<store::RowSource> dijkstra_rows_of(const Graph& graph, const planner::Plan& plan,
                                                   const Control& control) {
  const WeightFacts& facts = graph.weight_facts();
  const bool longest = plan.semiring == Semiring::max_plus;  // which are shortest ones of −w
  const bool has_negative =
      longest ? facts.greatest > 0 : plan.semiring == Semiring::min_plus && facts.least < 0;
  std::optional<Potentials> found;
  if (has_negative) found = potentials(graph, longest ? -1 : 1, control, plan.threads);
  return search::dijkstra_rows(graph, plan.semiring, plan.type, found ? &*found : nullptr,
                               plan.distance_bound);
}

/// On the plan's device too, where it closes wide supernodes.
elimination::Factor factor_of(const Graph& graph, const planner::Plan& plan,
                              const planner::RowsByFactor& by,
                              elimination::EliminationOptions options) {
  if (!by.on_device || by.on_device->closed_from == 0) {
    return elimination::eliminate(graph, by.tree, options);
  }
  std::optional<elimination::Factor> factor;
  with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    options.closing = {devices.front(), by.on_device->closed_from, by.on_device->closed_tile};
    factor = elimination::eliminate(graph, by.tree, options);
    return 0.0;
  });
  return std::move(*factor);
}

std::unique_ptr<store::RowSource> of_targets(std::unique_ptr<store::RowSource> rows,
                                             const store::VertexList& targets) {
  if (targets.is_all()) return rows;
  return std::make_unique<store::TargetRows>(std::move(rows), targets.listed());
}

/// One function an engine makes its producer, or its source for the host's threads.
struct Engines {
  const Graph& graph;
  const planner::Plan& plan;
  const Control& control;

  PlannedRows operator()(const planner::RowsByFactor& by) const {
    const elimination::EliminationOptions options{plan.semiring, plan.type, plan.sign, plan.cycles,
                                                  plan.threads,  control,   {}};
    if (by.trim) {
      return {
          .source = std::make_unique<elimination::TrimmedRows>(
              *by.trim, elimination::eliminate(by.trim->core_graph, by.tree, options), plan.sign)};
    }
    PlannedRows rows;
    rows.factor = std::make_shared<const elimination::Factor>(factor_of(graph, plan, by, options));
    rows.source =
        std::make_unique<elimination::FactorRows>(rows.factor, plan.sign, plan.selection.targets);
    if (by.on_device) {
      rows.producer = rows_by_sweeps(graph, *rows.factor, plan, *by.on_device, control);
    }
    return rows;
  }

  PlannedRows operator()(const planner::RowsBySearches& by) const {
    if (by.on_device) return {.producer = rows_by_near_far(graph, plan, *by.on_device, control)};
    return {.source = of_targets(dijkstra_rows_of(graph, plan, control), plan.selection.targets)};
  }

  PlannedRows operator()(const planner::RowsByBreadthFirst& by) const {
    if (by.on_device) return {.producer = rows_by_hops(graph, plan, *by.on_device, control)};
    return {.source = of_targets(plan.semiring == Semiring::or_and
                                     ? search::reachability_rows(graph)
                                     : search::breadth_first_rows(graph, plan.type),
                                 plan.selection.targets)};
  }
};

}  // namespace

PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control) {
  PlannedRows rows = std::visit(Engines{graph, plan, control}, plan.rows()->by);
  if (rows.producer == nullptr) {
    rows.producer = rows_on_host(*rows.source, plan.threads, control);
  }
  return rows;
}

bool emits_columns(const planner::Plan& plan) {
  return plan.rows() && (plan.rows()->uses.gives_columns || plan.rows()->uses.counts_columns);
}

}  // namespace apsp::engine
