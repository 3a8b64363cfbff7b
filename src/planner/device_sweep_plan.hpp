// Sweeps over a factor on GPUs: their memory and seconds.
#pragma once

#include <cstdint>
#include <string>

#include "planner/device_row_costs.hpp"

namespace apsp::planner {

/// Sources that sweeps take at a time, at most: launches are few then, and the part of a block that
/// sweeps upward is small. More were no faster on any graph that was measured
/// (bench/attempts-gpu.md) and take as many times the memory.
inline constexpr std::int64_t kMostLanes = 4096;

/// Why a device cannot sweep, as the end of "nested-dissection …"; empty: it can.
std::string why_not_swept(const Problem& problem);

/// How rows of a device's sweeps are kept: of shortest distances in f64 that are whole numbers and
/// short enough, in half the bytes.
kernels::ListedForm swept_form(const Problem& problem);
/// Kernels that are as fast as those of such rows; a value of theirs takes as many bytes.
KernelKind swept_kernel(const Problem& problem);

/// The plan of sweeps on all of the devices, as `rows_on_devices` (row_candidates.hpp). Requires:
/// rows come from a factor of a graph of so many arcs.
RowsOnDevices sweeps_on_devices(std::int64_t arcs, const Problem& problem, const RowsLimits& limits,
                                const NamedDevice& devices, RowsPlan rows);

/// Seconds in which the plan's devices write all distances that are wanted, and count those that
/// may be counted: no sweep takes less, whatever the order of elimination.
double least_sweeping_seconds(const Problem& problem, const DevicePlan& plan);

}  // namespace apsp::planner
