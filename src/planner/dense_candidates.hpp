// Candidates of Floyd-Warshall: in the memory of the host or of GPUs, and over a matrix on disk.
#pragma once

#include <string>

#include "planner/plan.hpp"

namespace apsp::planner {

/// Returns the plan in the host's memory, without costs. `why`: why no GPU was chosen.
Plan matrix_on_host(const PlanRequest& asked, const Problem& problem, std::string why = {});

void set_host_tile(std::int64_t asked, Plan& plan);

/// Returns the plan on the CPU or on GPUs, the faster or the named one, with memory and time. If a
/// GPU may compute rows, the matrix is the host's if it does not fit the GPU.
Planned matrix_in_memory(const PlanRequest& asked, const Problem& problem);

// Floyd-Warshall over a matrix on disk: whether it is possible, and its plan.

/// Returns why the plan's matrix cannot be on disk; empty: it can.
std::string why_not_on_disk(const SolveOptions& options, const Plan& plan);

/// Returns the same solve on the CPU with its matrix on disk; it may not fit the memory (`fits`).
/// Requires: `why_not_on_disk` is empty.
Plan on_disk(const PlanRequest& asked, const Plan& plan);

/// Returns the same by the plan's GPUs, several of which hold the matrix together. Requires:
/// `why_not_on_disk` is empty, and the plan has a GPU.
Planned on_disk_through_devices(const PlanRequest& asked, const Plan& plan);

/// Returns the plan on the first of its GPUs, without costs.
Plan by_first_device(Plan plan);

struct DiskSteps {
  std::int64_t tile = 0, band = 0, width = 0;
  std::int64_t pivots = 0;
};

/// Plans the remainder of a solve whose matrix is on disk, on the plan's devices. If values are
/// rounded, steps keep their width where that fits. Throws `Error`: usage (another algorithm; bands
/// that a GPU cannot take), does_not_fit (with advice).
Plan on_disk_again(const PlanRequest& asked, const Plan& plan, const DiskSteps& steps);

}  // namespace apsp::planner
