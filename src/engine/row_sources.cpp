#include "engine/row_sources.hpp"

#include <chrono>
#include <optional>

#include "base/seconds_since.hpp"
#include "engine/row_producer.hpp"
#include "engine/rows_on_device.hpp"
#include "engine/rows_on_host.hpp"
#include "engine/run.hpp"
#include "flow/row_source.hpp"
#include "graph/negative_cycle.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/trimmed_rows.hpp"

namespace apsp::engine {
namespace {

/// Potentials for searches; none unless weights have both signs.
std::optional<Potentials> potentials_of(const Graph& graph, const planner::Plan& plan,
                                        const Control& control) {
  if (!planner::needs_potentials(graph, plan.semiring)) return std::nullopt;
  const bool longest = plan.semiring == Semiring::max_plus;  // shortest ones of −w
  return potentials(graph, longest ? -1 : 1, control, plan.threads);
}

/// Eliminates the graph, in part on the device if planned. `made_on`: the device's report.
sparse::Factor factor_of(const Graph& graph, const planner::Plan& plan,
                         const planner::RowsByFactor& by, sparse::EliminationOptions options,
                         std::optional<DeviceReport>& made_on) {
  if (by.on_device) made_on = report_of(*plan.on_device);
  if (!by.on_device || !by.on_device->eliminates()) {
    return sparse::eliminate(graph, by.tree, options);
  }
  std::optional<sparse::Factor> factor;
  made_on = with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    const auto start = std::chrono::steady_clock::now();
    options.share = {devices.front(), by.on_device->fronts, by.on_device->closed_from,
                     by.on_device->closed_tile};
    factor = sparse::eliminate(graph, by.tree, options);
    return base::seconds_since(start);
  });
  return std::move(*factor);
}

std::unique_ptr<flow::RowSource> of_targets(std::unique_ptr<flow::RowSource> rows,
                                            const store::VertexList& targets) {
  if (targets.is_all()) return rows;
  return std::make_unique<flow::TargetRows>(std::move(rows), targets.listed());
}

struct Engines {
  const Graph& graph;
  const planner::Plan& plan;
  const Control& control;

  PlannedRows operator()(const planner::RowsByFactor& by) const {
    const sparse::EliminationOptions options{plan.semiring, plan.type, plan.sign, plan.cycles,
                                             plan.threads,  control,   {}};
    if (by.trim) {
      return {.source = std::make_unique<sparse::TrimmedRows>(
                  *by.trim, sparse::eliminate(by.trim->core_graph, by.tree, options), plan.sign)};
    }
    PlannedRows rows;
    rows.factor =
        std::make_shared<const sparse::Factor>(factor_of(graph, plan, by, options, rows.made_on));
    rows.source =
        std::make_unique<sparse::FactorRows>(rows.factor, plan.sign, plan.selection.targets);
    if (by.on_device) {
      rows.producer = rows_by_sweeps(graph, *rows.factor, plan, *by.on_device, control);
    }
    return rows;
  }

  PlannedRows operator()(const planner::RowsBySearches& by) const {
    const std::optional<Potentials> found = potentials_of(graph, plan, control);
    const Potentials* const h = found ? &*found : nullptr;
    if (by.on_device) return {.producer = rows_by_near_far(graph, plan, *by.on_device, h, control)};
    return {.source = of_targets(
                search::dijkstra_rows(graph, plan.semiring, plan.type, h, plan.distance_bound),
                plan.selection.targets)};
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
