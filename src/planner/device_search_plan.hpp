#pragma once

#include <apsp/graph.hpp>
#include <string>

#include "planner/device_row_costs.hpp"

namespace apsp::planner {

/// Returns why a device cannot run Dijkstra's searches, as the end of "johnson …"; empty: it can.
std::string why_not_searched(const Graph& graph);

/// Plans near-far or breadth-first searches on all of the devices, as `rows_on_devices`
/// (row_candidates.hpp). Requires: rows do not come from a factor.
RowsOnDevices searches_on_devices(const Graph& graph, const Problem& problem,
                                  const RowsLimits& limits, const NamedDevice& devices,
                                  RowsPlan rows);

}  // namespace apsp::planner
