// `solve` and `floyd_warshall` with the GPUs handed in, so that tests can invent them.
#pragma once

#include <apsp/solve.hpp>

#include "kernels/contract.hpp"
#include "planner/devices.hpp"

namespace apsp::api {

Result solve_among(const planner::FindDevices& find, const Graph& graph,
                   const SolveOptions& options);

void floyd_warshall_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                          kernels::Tile matrix, const FloydWarshallOptions& options);

}  // namespace apsp::api
