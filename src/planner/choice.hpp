#pragma once

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

/// Returns the cheapest candidate that fits, or the nearest to it if none does; of a named
/// algorithm its own. `find` is called only if a GPU may be chosen. Throws `Error`: does_not_fit
/// (an order), interrupted.
Planned choose_method(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
