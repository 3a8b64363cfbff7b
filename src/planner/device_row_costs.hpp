// Rows on GPUs: limits, and costs that sweeps and searches share.
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

struct RowsOnDevices {
  DevicePlan devices;
  RowsPlan rows;
};

/// Returns how a device counts distances for statistics of all pairs. It counts nothing if it could
/// not hold all digits; then rows leave the device.
statistics::CountMethod count_way(const Problem& problem);

/// Adds copies and memory of the host, when the devices' seconds are known. `pinned`: bytes that
/// rows pass through; `counting`: what each device counts.
void add_host_costs(std::int64_t sources, std::int64_t targets, std::int64_t pinned,
                    const statistics::CountMethod& counting, RowsOnDevices& on);

/// Costs of predecessors that devices compute: bytes of each device, and of the host for each;
/// seconds of all. `piece`: rows that are copied out at a time.
struct PredecessorCosts {
  std::int64_t device_bytes = 0, host_bytes = 0;
  double seconds = 0;
};
PredecessorCosts predecessor_costs(const DevicePlan& plan, const RowUses& uses, std::int64_t arcs,
                                   std::int64_t sources, std::int64_t piece);

}  // namespace apsp::planner
