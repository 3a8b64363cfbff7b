// Refusals, and advice: changes of options with which a plan fits, as data and in sentences.
// Options are between backquotes, `device=cpu`; each interface may word them as its users write
// them.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "planner/device_plan.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

/// Returns the options with these changes, for a graph of n vertices.
SolveOptions with_advice(const Advice& advice, SolveOptions options, std::int64_t n);
RefusedSolve refused(const PlanRequest& asked, const Refusal& refusal);
RefusedSolve does_not_fit(const PlanRequest& asked, const Plan& plan);
RefusedSolve does_not_fit(const DeviceProblem& problem, const DevicePreference& preference,
                          const DevicePlan& small, const FoundDevices& gpus);

}  // namespace apsp::planner
