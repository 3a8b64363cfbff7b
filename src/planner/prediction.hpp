// The seconds of a plan, from the graph in memory to the result: by the models of its method
// and place, and the output.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "planner/plan.hpp"

namespace apsp::planner {

/// The prediction is rough if no model knows the time: predecessors, hops, named tiles, or
/// potentials of signed weights.
Prediction predict(const Plan& plan, std::int64_t arcs, const SolveOptions& options,
                   const RateSource& rates);

/// Sets all costs of the plan: bytes of host memory and of the output, and seconds.
void set_costs(const PlanRequest& asked, Plan& plan);

/// Seconds of the relaxations by GPUs whose matrix is on disk, by the GPU with most columns.
double relaxing_seconds(const Plan& plan);

/// The rates of the disk of the plan's matrix; assumed ones if it was not measured.
TransferRates disk_rates(const Plan& plan, const SolveOptions& options, const RateSource& source);

}  // namespace apsp::planner
