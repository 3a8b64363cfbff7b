// Floyd-Warshall in memory: its candidate on the host, and where the options leave the place open.
#pragma once

#include <string>

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

/// The solve in the host's memory. `why`: why no GPU was chosen. Costs are not set.
Plan matrix_on_host(const PlanRequest& asked, const Problem& problem, std::string why = {});

/// The side of a tile and the shape of a matrix that the host solves.
void set_host_tile(std::int64_t asked, Plan& plan);

/// The solve on the CPU or on GPUs, whichever is sooner or named. Where a GPU is to find rows, the
/// matrix is the host's if a GPU does not take it. Memory and time are set.
Planned matrix_in_memory(const PlanRequest& asked, const Problem& problem);

/// Where a GPU was asked for, and algorithms that need no matrix do not run there: why, in
/// sentences; else empty.
std::string limits_of_rows_on_device(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
