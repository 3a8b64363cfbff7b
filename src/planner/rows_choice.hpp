// A solve row by row in the place of one that fills a matrix: its plan, for each algorithm.
#pragma once

#include "planner/plan.hpp"

namespace apsp::planner {

/// What a plan is to the algorithms that compute rows.
RowsProblem rows_problem(const Plan& plan);

/// Whether some pairs are all that is asked for, so that the factor may be kept in place of rows.
bool wants_pairs_alone(const SolveOptions& options);

/// Whether the output may hold the factor unasked.
bool may_store_factor(const SolveOptions& options, const Plan& plan);

/// The plan of the same solve row by row.
Plan by_rows(Algorithm algorithm, const PlanRequest& asked, const Plan& plan,
             const RowsProblem& problem);

/// Why a plan of nested dissection cannot be swept by a GPU instead; empty: it can.
std::string why_not_swept_instead(const Plan& plan, const RowsProblem& problem);

/// The same plan with its sweeps on the first GPU. Throws `Error`: device, does_not_fit.
Plan swept_instead(const PlanRequest& asked, Plan plan, const RowsProblem& problem);

/// The plan of a solve that leaves a factor. Throws `Error` (usage) where there can be none.
Plan factored(const PlanRequest& asked, const Plan& plan);

}  // namespace apsp::planner
