// What to do about a plan that needs more memory than it may take.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace apsp::planner {

/// What the plan needs, what there is, and what would fit: options that the caller may change, each
/// planned and found to fit, more memory where the machine has it among them. Where one change is
/// not enough, two are tried. A solve that goes on from an earlier one keeps what decides over its
/// result.
std::string what_would_fit(const Graph& graph, const SolveOptions& options, const Plan& plan,
                           const FindDevices& find);
/// The same where a GPU that was asked for has too little memory.
std::string what_would_fit(const Graph& graph, const SolveOptions& options,
                           const DeviceTooSmall& small, const FindDevices& find);
/// The same of a caller's matrix.
std::string what_would_fit(const DeviceProblem& problem, const DevicePreference& preference,
                           const DeviceTooSmall& small, const FindDevices& find);

/// Where an algorithm does not take the problem, or makes no factor of it: what does, as a clause
/// behind a semicolon; the nearest change with which a solve is planned and fits. Empty: none was
/// found.
std::string what_takes(const PlanRequest& asked);

/// Where a GPU was asked for, and algorithms that need no matrix do not run there: why, in
/// sentences; else empty. `plan`: its values are known.
std::string limits_of_rows_on_device(const Graph& graph, const SolveOptions& options,
                                     const Plan& plan);

}  // namespace apsp::planner
