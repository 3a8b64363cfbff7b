// Which method solves a problem: all that can are looked at, as far as looking is worth it.
#pragma once

#include "planner/plan.hpp"
#include "planner/refusal.hpp"

namespace apsp::planner {

/// The cheapest candidate that fits or, where none does, the one that is nearest to it; with an
/// algorithm that was named, its own. `find` is asked only if a GPU may be chosen. Throws `Error`:
/// does_not_fit (an order), interrupted.
Planned choose_method(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
