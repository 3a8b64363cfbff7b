// The description of a question: options that do not go together end here; value type, precision
// and limits are decided.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <string>

#include "planner/problem.hpp"

namespace apsp::planner {

/// Returns why the options are inconsistent, as a sentence; empty: they are consistent.
std::string why_wrong(const SolveOptions& options, std::int64_t vertices);

/// Throws `Error`: usage, does_not_fit (no value type holds the distances), interrupted.
Problem describe_problem(const PlanRequest& asked);

}  // namespace apsp::planner
