// A matrix that rests on the disk while it is solved: whether that can be, and its plan.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace apsp::planner {

/// Why the plan's matrix cannot rest on the disk; empty: it can.
std::string why_not_on_disk(const Graph& graph, const SolveOptions& options, const Plan& plan);

/// The same solve on the CPU, its matrix on the disk. Requires: `why_not_on_disk` has nothing to
/// say. What does not fit the memory says so (`fits`).
Plan on_disk(const PlanRequest& asked, const Plan& plan);

/// How an earlier run has cut the matrix that is gone on with, vertices.
struct DiskSteps {
  std::int64_t tile = 0, band = 0, width = 0;
};

/// The same for a matrix that is there already. Steps are as wide as they were where values are
/// rounded, and where that fits. Throws `Error`: usage (the plan is of another algorithm),
/// does_not_fit (says what would).
Plan on_disk_again(const Graph& graph, const SolveOptions& options, const RateSource& rates,
                   const Plan& plan, const DiskSteps& steps);

}  // namespace apsp::planner
