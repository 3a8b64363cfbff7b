// Which algorithm solves a problem: all that can are looked at, as far as looking is worth it.
#pragma once

#include "planner/plan.hpp"

namespace apsp::planner {

/// The algorithm that is predicted to be fastest among those that fit, or the one that was asked
/// for. `plan`: of Floyd-Warshall, in its place. Throws `Error` (usage) where what was asked for
/// cannot solve the problem.
Plan choose_algorithm(const Graph& graph, const SolveOptions& options, const FindDevices& find,
                      const RateSource& rates, const Plan& plan);

}  // namespace apsp::planner
