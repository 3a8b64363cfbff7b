// The planes that a solve fills, and those of them that rest in memory.
#pragma once

#include <apsp/solve.hpp>

#include "planner/plan.hpp"
#include "store/store.hpp"

namespace apsp::planner {

/// The planes of a solve as they are stored.
store::Layout layout_of(const Plan& plan, const SolveOptions& options);

/// Those that rest in memory: predecessors for a file do not, they are made a band at a time.
store::Layout layout_in_memory(const Plan& plan, const SolveOptions& options);

}  // namespace apsp::planner
