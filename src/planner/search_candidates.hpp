// Candidates that search from every source, on the host and on GPUs.
#pragma once

#include "planner/row_costs.hpp"

namespace apsp::planner {

/// Plans searches on the host. Requires: `why_not` (eligibility.hpp) is empty.
RowsPlan plan_searches(Algorithm algorithm, const Graph& graph, const Problem& problem,
                       const RowsMeans& means);

/// Plans near-far or breadth-first searches on all of the devices, as `rows_on_devices`
/// (row_candidates.hpp). Requires: rows do not come from a factor, and `why_not` is empty for a
/// GPU.
RowsOnDevices searches_on_devices(const Graph& graph, const Problem& problem,
                                  const DeviceMeans& means, const NamedDevice& devices,
                                  RowsPlan rows);

}  // namespace apsp::planner
