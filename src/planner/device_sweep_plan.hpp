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

/// Where `rows`, a plan of nested dissection whose uses are known, is to be swept, and changes the
/// plan to that: lanes, memory of the host, times. `memory`: of the device's, at most; 0: what is
/// free. `band`: of a sink of tiles; 0: there is none. Requires: `why_not_swept` is empty. Throws
/// `Error` (does_not_fit).
DevicePlan sweep_on_device(const RowsProblem& problem, std::int64_t memory, std::int64_t band,
                           const NamedDevice& device, RowsPlan& rows);

/// Seconds in which sweeps of all vertices on this plan's devices write and count, whatever the
/// order: all take longer.
double least_sweeping_seconds(const DevicePlan& plan);

}  // namespace apsp::planner
