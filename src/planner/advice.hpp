// Advice for a refused solve, as data. Each piece of advice was planned from what is known of the
// graph, and fits. refusal_text.hpp words it.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

/// The options of a solve of n vertices with advice taken.
SolveOptions with_advice(const Advice& advice, SolveOptions options, std::int64_t n);

/// Advice for a plan that does not fit. If one change is not enough, two are tried. A solve that
/// resumes an earlier one keeps the options that decide over its result.
struct WouldFit {
  std::vector<Advice> changes{};
  /// Memory that is enough for the solve as it is, as an option takes it; empty: the machine has
  /// less.
  std::string memory{};
  std::int64_t bytes_of_threads = 0;  ///< of the host, for all threads but one; 0: not known
};
WouldFit what_would_fit(const PlanRequest& asked, const Plan& plan);

/// Returns the advice for GPUs that were named and have too little memory.
std::vector<Advice> what_would_fit(const PlanRequest& asked, const Refusal& small);
/// The same for a caller's matrix, whose plan does not fit.
std::vector<Advice> what_would_fit(const DeviceProblem& problem, const DevicePreference& preference,
                                   const DevicePlan& small, const FindDevices& find);

/// The nearest change with which a problem is taken that the named algorithm does not take, or does
/// not make a factor of; empty: none was found.
Advice what_takes(const PlanRequest& asked);

}  // namespace apsp::planner
