// What a plan says of the report of its solve.
#pragma once

#include <apsp/solve.hpp>

#include "planner/plan.hpp"

namespace apsp::api {

SolveReport report_of(const planner::Plan& plan);

}  // namespace apsp::api
