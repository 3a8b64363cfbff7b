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

SolveOptions with_advice(const Advice& advice, SolveOptions options, std::int64_t n);

/// Advice for a plan that does not fit, by one change or two. A resumed solve keeps the options on
/// which its result depends.
struct WouldFit {
  std::vector<Advice> changes{};
  /// Memory that is enough, as an option value; empty: more than the machine has.
  std::string memory{};
  std::int64_t bytes_of_threads = 0;  ///< of the host, for all threads but one; 0: not known
};
WouldFit what_would_fit(const PlanRequest& asked, const Plan& plan);

std::vector<Advice> what_would_fit(const PlanRequest& asked, const Refusal& small);
std::vector<Advice> what_would_fit(const DeviceProblem& problem, const DevicePreference& preference,
                                   const DevicePlan& small, const FoundDevices& gpus);

/// Returns the smallest change with which the problem can be solved if the named algorithm cannot
/// solve it, or makes no factor; empty: none was found.
Advice what_takes(const PlanRequest& asked);

// Refusals and advice in sentences.

RefusedSolve refused(const PlanRequest& asked, const Refusal& refusal);
RefusedSolve does_not_fit(const PlanRequest& asked, const Plan& plan);
RefusedSolve does_not_fit(const DeviceProblem& problem, const DevicePreference& preference,
                          const DevicePlan& small, const FoundDevices& gpus);

}  // namespace apsp::planner
