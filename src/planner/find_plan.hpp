// Answers a question with its plan, or with an error that says what would help.
#pragma once

#include <apsp/solve.hpp>

#include "planner/plan.hpp"

namespace apsp::planner {

/// The best plan, whether it fits or not. `find` is asked only if a GPU may be chosen. Throws
/// `RefusedSolve`: usage, device (asked for by name and not there, or it does not take the
/// problem), does_not_fit (a GPU that was asked for by name has too little memory). Throws `Error`
/// too: usage, does_not_fit (no value type holds the distances), interrupted.
Plan plan_for(const PlanRequest& asked);
Plan find_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {},
               std::int64_t estimated_from = kNeverEstimated);

/// The same. Throws `RefusedSolve` (does_not_fit) too where the best plan does not fit.
Plan make_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {});

/// The same for a caller's matrix in memory: its type is given, and no bounds or bytes are
/// computed. Throws `Error` as above.
Plan plan_matrix(const DeviceProblem& problem, const DevicePreference& preference,
                 const FindDevices& find = cuda_devices, const RateSource& rates = {});

}  // namespace apsp::planner
