// A planned Floyd-Warshall on a GPU: opened, run in or through its memory, measured.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/solve.hpp>

#include <functional>

#include "places/tiling.hpp"
#include "planner/device_plan.hpp"

namespace apsp::api {

/// `host`, of the plan's tile, is solved in place. `via`: int32 of the same shape, kNoVia on entry;
/// no data: not tracked. Throws `Error`: negative_cycle, interrupted, does_not_fit, device (both
/// say what would work).
DeviceReport run_on_device(const planner::DevicePlan& plan, const Tiling& host, const Tiling& via,
                           kernels::Cycles cycles, const Control& control);

/// `closure`: `device_closure` on the device that was opened for it. Throws as above.
DeviceReport run_closure_on_device(const planner::DevicePlan& plan,
                                   const std::function<double(kernels::Device&)>& closure);

}  // namespace apsp::api
