// Which algorithm solves a problem: all that can are looked at, as far as looking is worth it.
#pragma once

#include "planner/plan.hpp"

namespace apsp::planner {

/// Throws `Error` (usage) where the algorithm that was asked for cannot solve the problem. `plan`:
/// its values, its selection and what is kept are known.
void require_taken(const Graph& graph, const SolveOptions& options, const Plan& plan);

/// The algorithm that is predicted to be fastest among those that fit, or the one that was asked
/// for. `plan`: of Floyd-Warshall, in its place. Requires: `require_taken` did not throw.
Plan choose_algorithm(const Graph& graph, const SolveOptions& options, const FindDevices& find,
                      const RateSource& rates, const Plan& plan);

}  // namespace apsp::planner
