// Candidates that search from every source, on the host.
#pragma once

#include "planner/row_costs.hpp"

namespace apsp::planner {

/// Plans searches on the host. Requires: `why_not` (eligibility.hpp) is empty.
RowsPlan plan_searches(Algorithm algorithm, const Graph& graph, const Problem& problem,
                       const RowsMeans& means);

}  // namespace apsp::planner
