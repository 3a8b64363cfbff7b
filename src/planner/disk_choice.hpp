// A matrix that is on the disk while it is solved: whether that can be, and its plan.
#pragma once

#include <string>

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

/// Why the plan's matrix cannot be on the disk; empty: it can.
std::string why_not_on_disk(const SolveOptions& options, const Plan& plan);

/// The same solve on the CPU, its matrix on the disk. Requires: `why_not_on_disk` has nothing to
/// say. What does not fit the memory says so (`fits`).
Plan on_disk(const PlanRequest& asked, const Plan& plan);

/// The same by the plan's GPUs. Several hold the matrix together while it is solved. Requires:
/// `why_not_on_disk` has nothing to say, and the plan has a GPU.
Planned on_disk_through_devices(const PlanRequest& asked, const Plan& plan);

/// The plan on the first of its GPUs, whose costs are not set.
Plan by_first_device(Plan plan);

/// How an earlier run has cut the matrix, in vertices.
struct DiskSteps {
  std::int64_t tile = 0, band = 0, width = 0;
  std::int64_t pivots = 0;  ///< that are done
};

/// The same for a matrix that is there already, on the devices of the plan. Steps are as wide as
/// they were where values are rounded, and where that fits. Throws `Error`: usage (the plan is of
/// another algorithm; bands that a GPU does not take), does_not_fit (says what would).
Plan on_disk_again(const PlanRequest& asked, const Plan& plan, const DiskSteps& steps);

}  // namespace apsp::planner
