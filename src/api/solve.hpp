// `solve` and `plan_solve` with GPUs and rates as arguments, for tests. No rates: nothing is
// measured, and predictions are uncalibrated.
#pragma once

#include <apsp/solve.hpp>

#include "planner/devices.hpp"
#include "planner/plan.hpp"
#include "planner/rates.hpp"

namespace apsp::api {

Result solve_among(const planner::FindDevices& find, const Graph& graph,
                   const SolveOptions& options, const planner::RateSource& rates = {});

PlanReport plan_among(const planner::FindDevices& find, const Graph& graph,
                      const SolveOptions& options, const planner::RateSource& rates = {},
                      std::int64_t estimated_from = planner::kNeverEstimated);

/// The report of a plan, before its solve.
SolveReport report_of(const planner::Plan& plan);

}  // namespace apsp::api
