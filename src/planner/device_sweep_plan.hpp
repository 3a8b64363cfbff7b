// Nested dissection on a GPU: the factor is eliminated by the CPU, all sweeps run on the device,
// and statistics of all distances are all that leaves it.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <string>

#include "planner/device_choice.hpp"
#include "planner/device_plan.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

/// Why a device cannot sweep, as the end of "nested-dissection …"; empty: it can.
std::string why_not_swept(const Graph& graph, const SolveOptions& options,
                          const RowsProblem& problem);

/// The plan of sweeps on all of the devices. `rows`: the plan of nested dissection on the CPU,
/// whose uses are known; its lanes, host memory and times become those of the devices. `memory`:
/// bytes of each device that may be used; 0: what is free. `band`: rows of a band of the output's
/// tiles; 0: there is no output. Requires: `why_not_swept` is empty. Throws `Error` (does_not_fit).
DevicePlan sweep_on_device(const RowsProblem& problem, std::int64_t memory, std::int64_t band,
                           const NamedDevice& device, RowsPlan& rows);

/// Seconds in which the plan's devices write all distances and count them: no sweep takes less,
/// whatever the order of elimination.
double least_sweeping_seconds(const DevicePlan& plan);

}  // namespace apsp::planner
