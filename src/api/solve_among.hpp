// `solve`, `plan_solve`, `within`, `betweenness` and `floyd_warshall` with the GPUs and
// the machine's rates handed in, so that tests can invent them. Without rates nothing is measured,
// and predictions are rough.
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

/// What a plan says of the report of its solve.
SolveReport report_of(const planner::Plan& plan);

}  // namespace apsp::api
