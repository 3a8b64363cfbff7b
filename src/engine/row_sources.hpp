// What computes the rows of a plan.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <memory>

#include "elimination/factor.hpp"
#include "planner/plan.hpp"
#include "store/row_source.hpp"

namespace apsp::engine {

struct PlannedRows {
  std::unique_ptr<store::RowSource> source;
  std::shared_ptr<const elimination::Factor> factor{};  // where there is one; `source` keeps it
};

/// Requires: the plan is by rows. Eliminates, where the plan is nested dissection. Throws `Error`:
/// negative_cycle, interrupted, does_not_fit.
PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control);

}  // namespace apsp::engine
