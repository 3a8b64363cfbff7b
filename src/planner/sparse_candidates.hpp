// Candidates that eliminate the graph: nested dissection and the boundary algorithm, on the host.
#pragma once

#include "planner/row_costs.hpp"

namespace apsp::planner {

/// Requires: `why_not` is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_elimination(Algorithm algorithm, const Graph& graph, const Problem& problem,
                          const RowsMeans& means);

}  // namespace apsp::planner
