// Functions of the library with GPUs and rates as arguments, for tests. No rates: nothing is
// measured, and predictions are uncalibrated.
#pragma once

#include <apsp/near.hpp>
#include <apsp/solve.hpp>

#include "kernels/contract.hpp"
#include "planner/devices.hpp"
#include "planner/plan.hpp"
#include "planner/rates.hpp"

namespace apsp::api {

Result solve_among(const planner::FindDevices& find, const Graph& graph,
                   const SolveOptions& options, const planner::RateSource& rates = {});

PlanReport plan_among(const planner::FindDevices& find, const Graph& graph,
                      const SolveOptions& options, const planner::RateSource& rates = {},
                      std::int64_t estimated_from = planner::kNeverEstimated);

Betweenness betweenness_among(const planner::FindDevices& find, const Graph& graph,
                              const BetweennessOptions& options,
                              const planner::RateSource& rates = {});

SparseDistances within_among(const planner::FindDevices& find, const Graph& graph, double limit,
                             const NearOptions& options);

void floyd_warshall_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                          kernels::View matrix, const FloydWarshallOptions& options);

void floyd_warshall_on_device_among(const planner::FindDevices& find, Semiring semiring,
                                    const DeviceMatrix& matrix,
                                    const FloydWarshallOptions& options);

/// The report of a plan, before its solve.
SolveReport report_of(const planner::Plan& plan);

}  // namespace apsp::api
