// The row producer that a plan names.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <optional>
#include <span>

#include "elimination/factor.hpp"
#include "engine/row_producer.hpp"
#include "flow/row_source.hpp"
#include "planner/plan.hpp"

namespace apsp::engine {

struct PlannedRows {
  std::shared_ptr<const elimination::Factor> factor{};  // where there is one
  std::unique_ptr<flow::RowSource> source{};            // of the host; null: a device searches
  std::unique_ptr<RowProducer> producer{};              // which uses what it needs of the two
  std::optional<DeviceReport> made_on{};                // what a device did to make the factor
};

/// The engine that the plan names, the only place where one is chosen. `graph`, `plan` and what
/// `control` has outlive it. Eliminates, where rows come from a factor. Requires: the plan is by
/// rows. Throws `Error`: negative_cycle, interrupted, does_not_fit.
PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control);

/// Whether the plan's distances come vertex by vertex, with their rows or without, so that
/// statistics take them so.
bool emits_columns(const planner::Plan& plan);

}  // namespace apsp::engine
