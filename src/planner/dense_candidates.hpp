// Candidates of Floyd-Warshall: in the memory of the host or of GPUs, and over a matrix on disk.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "planner/candidates.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

struct DenseCandidates {
  /// On the CPU or on GPUs, the faster or the named one.
  Plan in_memory;
  /// The named GPU has no matrix, but computes rows; `in_memory` is then on the CPU, without
  /// seconds.
  bool only_rows = false;
  std::vector<Candidate> elsewhere{};  ///< in the memory of the other device
  std::vector<Candidate> on_disk{};    ///< none if the matrix fits
};
/// Plans all candidates, or only the one in memory if that has no seconds. Requires: no algorithm
/// without a matrix, and no factor, was asked for.
std::variant<DenseCandidates, Refusal> dense_candidates(const PlanRequest& asked,
                                                        const Problem& problem);

/// Returns the plan in the host's memory, without seconds. `why`: why no GPU was chosen.
Plan matrix_on_host(const PlanRequest& asked, const Problem& problem, std::string why = {});
void set_host_tile(std::int64_t asked, Plan& plan);

// Floyd-Warshall over a matrix on disk.

/// Returns why the plan's matrix cannot be on disk; empty: it can.
std::string why_not_on_disk(const SolveOptions& options, const Plan& plan);

struct DiskSteps {
  std::int64_t tile = 0, band = 0, width = 0;
  std::int64_t pivots = 0;
};

/// Plans the remainder of a solve whose matrix is on disk, on the plan's devices. If values are
/// rounded, steps keep their width where that fits. Throws `Error`: usage (another algorithm; bands
/// that a GPU cannot take), does_not_fit (with advice).
Plan on_disk_again(const PlanRequest& asked, const Plan& plan, const DiskSteps& steps);

}  // namespace apsp::planner
