// Refusals and advice in sentences. Options are between backquotes, `device=cpu`; each interface
// may word them as its users write them.
#pragma once

#include <apsp/solve.hpp>
#include <string>

#include "planner/advice.hpp"

namespace apsp::planner {

RefusedSolve refused(const PlanRequest& asked, const Refusal& refusal);
RefusedSolve does_not_fit(const PlanRequest& asked, const Plan& plan);
RefusedSolve does_not_fit(const DeviceProblem& problem, const DevicePreference& preference,
                          const DevicePlan& small, const FindDevices& find);

}  // namespace apsp::planner
