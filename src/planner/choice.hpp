// The choice of a method: which candidates are planned, in which order, and the best of them.
#pragma once

#include "planner/plan.hpp"

namespace apsp::planner {

/// Returns the cheapest candidate that fits, or the nearest to it if none does; of a named
/// algorithm its own. The GPUs are looked for only if one may be chosen. Throws `Error`:
/// does_not_fit (an order), interrupted.
Planned choose_method(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
