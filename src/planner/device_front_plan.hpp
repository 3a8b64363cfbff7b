// The choice of the fronts of an elimination that a device takes: those that the model says it
// eliminates faster than all threads of the host.
#pragma once

#include "planner/device_plan.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

/// Chooses what the plan's first device does of the elimination: `sweeps.fronts` and what it only
/// closes. Updates device memory (`plan.bytes`), host memory and seconds (`costs`). Memory is
/// released before sweeps begin. Requires: `costs` are those of an elimination by the host.
void eliminate_on_device(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                         SweepsOnDevice& sweeps, DevicePlan& plan, RowCosts& costs);

}  // namespace apsp::planner
