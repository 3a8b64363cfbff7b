// Costs of rows on GPUs that searches and sweeps share.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "planner/plan.hpp"

namespace apsp::planner {

/// Limits and rates of plans for rows on devices.
struct DeviceMeans {
  std::int64_t memory = 0;  ///< bytes of each device that may be used; 0: what is free
  std::int64_t band = 0;    ///< rows of a band of the output's tiles; 0: there is no output
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best candidate so far
  LinkRates link{};
  std::optional<DeviceRowRates> rates{};  ///< empty: assumed
  decltype(RateSource::sample_on_device) sample{};
};

struct RowsOnDevices {
  DevicePlan devices;
  RowsPlan rows;
};

/// Returns a plan on all of `there.taken`, at least one, without bytes and seconds.
DevicePlan begun_rows(const Problem& problem, std::int64_t n, const DeviceMeans& means,
                      const NamedDevice& there);

/// Returns how a device counts distances for statistics of all pairs. It counts nothing if it could
/// not hold all digits; then rows leave the device.
statistics::CountMethod count_method(const Problem& problem);

/// Adds copies and memory of the host, when the devices' seconds are known. `pinned`: bytes for
/// each device, that rows pass through; all pin at the same time. `counting`: what each device
/// counts.
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
