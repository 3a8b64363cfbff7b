// Searches from every source on GPUs: near-far, and breadth-first from many sources at once.
#pragma once

#include <apsp/graph.hpp>

#include "planner/device_row_costs.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

/// Plans searches on all of the devices, as `rows_on_devices` (row_candidates.hpp). Requires: rows
/// do not come from a factor, and `why_not` is empty for a GPU.
RowsOnDevices searches_on_devices(const Graph& graph, const Problem& problem,
                                  const DeviceMeans& means, const NamedDevice& devices,
                                  RowsPlan rows);

}  // namespace apsp::planner
