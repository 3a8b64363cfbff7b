// Candidates of Floyd-Warshall in memory, on the host and wherever the options allow.
#pragma once

#include <string>

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

/// Returns the plan in the host's memory, without costs. `why`: why no GPU was chosen.
Plan matrix_on_host(const PlanRequest& asked, const Problem& problem, std::string why = {});

void set_host_tile(std::int64_t asked, Plan& plan);

/// Returns the plan on the CPU or on GPUs, the faster or the named one, with memory and time. If a
/// GPU may compute rows, the matrix is the host's if it does not fit the GPU.
Planned matrix_in_memory(const PlanRequest& asked, const Problem& problem);

/// Returns why algorithms without a matrix do not run on the GPU that was asked for, in sentences;
/// else nothing.
std::string limits_of_rows_on_device(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
