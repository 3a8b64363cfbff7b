// Checks the options of a question and describes the problem.
#pragma once

#include "planner/problem.hpp"

namespace apsp::planner {

/// Returns why the options are inconsistent, as a sentence; empty: they are consistent.
std::string why_wrong(const SolveOptions& options, std::int64_t vertices);

/// Throws `Error`: usage, does_not_fit (no value type holds the distances), interrupted.
Problem describe_problem(const PlanRequest& asked);

}  // namespace apsp::planner
