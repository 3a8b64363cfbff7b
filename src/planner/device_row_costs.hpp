// Rows that GPUs compute: limits, and costs that sweeps and searches share.
#pragma once

#include <cstdint>

#include "planner/device_plan.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

/// `memory`: bytes of each device that may be used; 0: what is free. `band`: rows of a band of the
/// output's tiles; 0: there is no output.
struct RowsLimits {
  std::int64_t memory = 0;
  std::int64_t band = 0;
};

/// Rows on devices: the devices, and the plan with what they take of the host and their times.
struct RowsOnDevices {
  DevicePlan devices;
  RowsPlan rows;
};

/// How a device counts the distances that it finds: those of all pairs, from 0 on. It counts
/// nothing where it could not hold all digits: they leave it as rows then.
statistics::CountMethod count_way(const Problem& problem);

/// Once the devices' seconds are known: what copies add, and memory of the host. `pinned`: bytes
/// there that rows pass through; `counting`: what each device counts.
void add_host_costs(std::int64_t sources, std::int64_t targets, std::int64_t pinned,
                    const statistics::CountMethod& counting, RowsOnDevices& on);

/// Costs of predecessors that devices find: memory of each device, and of the host for each;
/// seconds of all. `piece`: rows that are copied out at a time.
struct PredecessorCosts {
  std::int64_t device_bytes = 0, host_bytes = 0;
  double seconds = 0;
};
PredecessorCosts predecessor_costs(const DevicePlan& plan, const RowUses& uses, std::int64_t arcs,
                                   std::int64_t sources, std::int64_t piece);

}  // namespace apsp::planner
