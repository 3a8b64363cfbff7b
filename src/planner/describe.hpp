// A question as a problem: options are checked, and the graph is looked at.
#pragma once

#include "planner/problem.hpp"

namespace apsp::planner {

/// Why the options do not go together, as a sentence; empty: they do.
std::string why_wrong(const SolveOptions& options, std::int64_t vertices);

/// Throws `Error`: usage, does_not_fit (no value type holds the distances), interrupted.
Problem describe_problem(const PlanRequest& asked);

}  // namespace apsp::planner
