// Refusals and advice in sentences. Options are between backquotes, `device=cpu`; each interface
// may word them as its users write them.
#pragma once

#include <apsp/solve.hpp>
#include <string>

#include "planner/advice.hpp"

namespace apsp::planner {

/// Returns the error of a refused question, with its advice.
RefusedSolve refused(const PlanRequest& asked, const Refusal& refusal);
/// Returns the error of a plan that does not fit, with its advice.
RefusedSolve does_not_fit(const PlanRequest& asked, const Plan& plan);
/// Returns the error of a caller's matrix that does not fit the named GPUs, with its advice.
RefusedSolve does_not_fit(const DeviceProblem& problem, const DevicePreference& preference,
                          const DevicePlan& small, const FindDevices& find);

}  // namespace apsp::planner
