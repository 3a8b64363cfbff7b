// Which fronts of an elimination a device takes: those that the model says it eliminates sooner
// than all threads of the host do.
#pragma once

#include "planner/device_plan.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

/// Decides what the plan's first device does of the elimination: `sweeps.fronts` and what it only
/// closes. Memory of the device (`plan.bytes`), of the host and seconds (`costs`) follow. Memory is
/// given back before sweeps begin. Requires: `costs` are those of an elimination by the host.
void eliminate_on_device(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                         SweepsOnDevice& sweeps, DevicePlan& plan, RowCosts& costs);

}  // namespace apsp::planner
