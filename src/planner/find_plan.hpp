// The plan of a question, or an error with advice.
#pragma once

#include <apsp/solve.hpp>

#include "planner/device_plan.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

/// Returns the best plan, whether it fits or not. `find` is called only if a GPU may be chosen.
/// Throws `RefusedSolve`: usage, device (named and not found, or it cannot solve the problem),
/// does_not_fit (a named GPU has too little memory). Throws `Error`: usage, does_not_fit (no value
/// type holds the distances), interrupted.
Plan find_plan(const PlanRequest& asked);
Plan find_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {});

/// The same. Also throws `RefusedSolve` (does_not_fit) if the best plan does not fit.
Plan make_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {});

// Rows that are asked for one by one: by searches, or by the factor of nested dissection.

/// Throws `Error` (usage) unless one of the two, or neither, is named.
void require_searches_or_factor(Algorithm named);
/// Returns the options of a solve that only makes the factor, on the host.
SolveOptions factor_options(ValueType type, int threads, std::int64_t memory,
                            const Control& control);

/// Plans a caller's matrix in memory, whose type is given; bounds and bytes are not computed.
/// Throws as above.
Plan plan_matrix(const DeviceProblem& problem, const DevicePreference& preference,
                 const FindDevices& find = cuda_devices, const RateSource& rates = {});

}  // namespace apsp::planner
