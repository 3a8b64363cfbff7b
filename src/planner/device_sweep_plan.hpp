// Sweeps over a factor on GPUs, and the fronts of its elimination that a GPU takes.
#pragma once

#include <cstdint>
#include <string>

#include "planner/device_row_costs.hpp"
#include "planner/plan.hpp"

namespace apsp::planner {

/// Chooses what the plan's first device does of the elimination: `sweeps.fronts` and what it only
/// closes. Updates device memory (`plan.bytes`), host memory and seconds (`costs`). Memory is
/// released before sweeps begin. Requires: `costs` are those of an elimination by the host.
void eliminate_on_device(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                         SweepsOnDevice& sweeps, DevicePlan& plan, RowCosts& costs);

/// Sources of a sweep, at most: few launches, and a small share of upward sweeps. More were no
/// faster on any measured graph (bench/attempts-gpu.md) and take as many times the memory.
inline constexpr std::int64_t kMostLanes = 4096;

/// Returns the form of rows on a device: integer shortest distances in f64 that are short enough
/// take half the bytes.
kernels::ListedForm swept_form(const Problem& problem);
/// Returns the kernel with the same speed and size of values as these rows.
KernelKind swept_kernel(const Problem& problem);

/// Plans sweeps on all of the devices, as `rows_on_devices` (row_candidates.hpp). Requires: rows
/// come from a factor of a graph of so many arcs.
RowsOnDevices sweeps_on_devices(std::int64_t arcs, const Problem& problem, const DeviceMeans& means,
                                const NamedDevice& devices, RowsPlan rows);

/// Returns relaxations per second of a product on the first device, at its rates of sweeps.
double swept_relaxations(const DevicePlan& plan, const KernelKind& kernel);

/// Returns the seconds in which the plan's devices write all wanted distances and, if they are
/// `counted`, count them: a lower bound of sweeps for any order of elimination.
double least_sweeping_seconds(const Problem& problem, bool counted, const DevicePlan& plan);

}  // namespace apsp::planner
