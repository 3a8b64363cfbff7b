// What to do about a plan that needs more memory than it may take.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace apsp::planner {

/// What the plan needs, what there is, and what would fit: options that the caller may change, each
/// planned and found to fit, or more memory where the machine has it.
std::string what_would_fit(const Graph& graph, const SolveOptions& options, const Plan& plan,
                           const FindDevices& find);

}  // namespace apsp::planner
