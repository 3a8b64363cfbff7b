// Rows that GPUs compute: what sweeps over a factor or searches take there, and how long.
//
// A factor is eliminated by the CPU; all sweeps run on the devices.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <string>

#include "planner/device_plan.hpp"
#include "planner/rows_plan.hpp"

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

/// Why a device cannot run Dijkstra's searches, as the end of "johnson …"; empty: it can.
std::string why_not_searched(const Graph& graph);

/// How a device counts the distances that it finds: those of all pairs, from 0 on. It counts
/// nothing where it could not hold all digits: they leave it as rows then.
statistics::CountMethod count_way(const Problem& problem);

/// Rows on devices: the devices, and the plan with what they take of the host and their times.
struct RowsOnDevices {
  DevicePlan devices;
  RowsPlan rows;
};

/// `memory`: bytes of each device that may be used; 0: what is free. `band`: rows of a band of the
/// output's tiles; 0: there is no output.
struct RowsLimits {
  std::int64_t memory = 0;
  std::int64_t band = 0;
};

/// The plan of the same engine on all of the devices. Where they have too little memory, the
/// devices' plan says so and the rest is not known. `rows`: the engine's plan on the CPU, whose
/// uses are known. Requires: the engine's `why_…` above is empty.
RowsOnDevices rows_on_devices(const Graph& graph, const Problem& problem, const RowsLimits& limits,
                              const NamedDevice& devices, RowsPlan rows);

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

/// The same of sweeps. Requires: rows come from a factor of a graph of so many arcs.
RowsOnDevices sweeps_on_devices(std::int64_t arcs, const Problem& problem, const RowsLimits& limits,
                                const NamedDevice& devices, RowsPlan rows);

/// Decides what the plan's first device does of the elimination: `sweeps.fronts` and what it only
/// closes. Memory of the device (`plan.bytes`), of the host and seconds (`costs`) follow. Memory is
/// given back before sweeps begin. Requires: `costs` are those of an elimination by the host.
void eliminate_on_device(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                         SweepsOnDevice& sweeps, DevicePlan& plan, RowCosts& costs);

/// Seconds in which the plan's devices write all distances that are wanted, and count those that
/// may be counted: no sweep takes less, whatever the order of elimination.
double least_sweeping_seconds(const Problem& problem, const DevicePlan& plan);

}  // namespace apsp::planner
