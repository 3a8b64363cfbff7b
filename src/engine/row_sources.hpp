// Builds the row producer that a plan names.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <optional>
#include <span>

#include "engine/row_producer.hpp"
#include "flow/row_source.hpp"
#include "planner/plan.hpp"
#include "sparse/factor.hpp"

namespace apsp::engine {

struct PlannedRows {
  std::shared_ptr<const sparse::Factor> factor{};  // if the plan has one
  std::unique_ptr<flow::RowSource> source{};       // on the host; null: a device searches
  std::unique_ptr<RowProducer> producer{};
  std::optional<DeviceReport> made_on{};
};

/// The only place where an engine is chosen. Eliminates the graph if rows come from a factor.
/// `graph`, `plan` and `control` must outlive the result. Requires: the plan is by rows. Throws
/// `Error`: negative_cycle, interrupted, does_not_fit.
PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control);

/// Whether the plan's distances come by vertex, with rows or without.
bool emits_columns(const planner::Plan& plan);

}  // namespace apsp::engine
