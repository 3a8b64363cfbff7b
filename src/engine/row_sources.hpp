// What computes the rows of a plan.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <memory>

#include "planner/plan.hpp"
#include "store/row_source.hpp"

namespace apsp::engine {

/// Requires: the plan is by rows. Eliminates, where the plan is nested dissection. Throws `Error`:
/// negative_cycle, interrupted, does_not_fit.
std::unique_ptr<store::RowSource> row_source_of(const Graph& graph, const planner::Plan& plan,
                                                const Control& control);

}  // namespace apsp::engine
