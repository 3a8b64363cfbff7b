// The seconds of a plan, from the graph in memory to the result: the model of the place that it
// takes (host_model.hpp, device_model.hpp), and what is written afterwards.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "planner/plan.hpp"

namespace apsp::planner {

/// It is rough where no model knows the time: with predecessors, hops, tiles that were asked for,
/// or potentials of signed weights.
Prediction predict(const Plan& plan, std::int64_t arcs, const SolveOptions& options,
                   const RateSource& rates);

/// The plan's bytes of the host's memory, and its seconds.
void set_costs(const PlanRequest& asked, Plan& plan);

/// Seconds that the relaxations take GPUs whose matrix is on the disk, by the one that has most of
/// its columns.
double relaxing_seconds(const Plan& plan);

/// The rates of the disk that holds the plan's matrix; assumed ones where it was not measured, or
/// cannot be read.
TransferRates disk_rates(const Plan& plan, const SolveOptions& options, const RateSource& source);

/// Every file that `options` writes: all planes, or the factor in their place, and what is beside
/// them. 0 where there is no output.
std::int64_t output_bytes(const Plan& plan, const SolveOptions& options);

}  // namespace apsp::planner
