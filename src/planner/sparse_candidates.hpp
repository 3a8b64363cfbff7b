// Candidates that eliminate the graph: nested dissection and the boundary algorithm, on the host.
#pragma once

#include "planner/row_costs.hpp"

namespace apsp::planner {

/// Requires: `why_not` is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_elimination(Algorithm algorithm, const Graph& graph, const Problem& problem,
                          const RowsMeans& means);

/// Plans the part of one process in nested dissection with a divided factor: to eliminate its share
/// and to count the distances from all sources to its vertices, by column.
RowsPlan plan_share(const Graph& graph, const Problem& problem, const RateSource& rates,
                    const std::shared_ptr<const sparse::TreeShare>& share);

}  // namespace apsp::planner
