// The GPU of one process of a grid of processes, each of which has one.
//
// Processes of a machine take its GPUs in turn: of those that were named, or of all, process number
// i takes the one at i mod their number (Sao 2021, §5.1: a process a GPU). Where there are more
// processes than GPUs, those of one share its memory.
#pragma once

#include "places/offload_plan.hpp"
#include "planner/device_plan.hpp"

namespace apsp::distributed {

// How a process's part of a matrix streams through its GPU (streamed_part.hpp): how wide panels are
// and what the buffers hold, and what it will cost.
//
// Of the largest part, of m × n' values, a step with panels of width b works m · n' · b relaxations
// and moves m · n' values each way. Copies hide under work where b is as Sao 2021, Eq. 5, has it;
// beyond that wide panels cost evenness, since tiles of that width are distributed, and memory. All
// widths and buffers that fit are tried on the model
//
//   step = max(work, copies, (work + copies in + out) / buffers, chain) + 10 µs a piece
//   chain = the next tile is closed, and travels, then both panels
//
// where work has the panels' own, and the least sum over steps wins. The first panels travel alone,
// and host memory that they go through is pinned.

/// A matrix on a grid of processes, each with `device_memory`; `tile` is not read.
struct OffloadGrid {
  places::OffloadProblem problem{};
  int rows = 1, columns = 1;
  std::int64_t width = 0;  // of a panel, a multiple of the granule; 0: chosen
  double messages = 4e9;   // bytes a second that come to a process
  double pinned = 2e9;     // bytes of host memory a second
};

/// The same for all processes. Throws `Error` (does_not_fit), with the least memory that would do.
places::OffloadPlan plan_streamed_part(const OffloadGrid& grid, const places::OffloadRates& rates,
                                       const kernels::DeviceSizes& sizes);

struct ProcessPlace {
  int rows = 1, cols = 1;  // of the grid
  int number = 0;          // of this process on its machine
  int of_machine = 1;      // processes of this machine
  /// The part of some process does not fit its GPU: all of them stream.
  bool streams = false;
};

/// The GPU of this process alone, with its share of what is free there. Without names all of the
/// machine's are taken in turn. Throws `Error`: usage, device (none there).
planner::Devices own_device(const planner::DevicePreference& preference, const ProcessPlace& place,
                            const planner::FindDevices& find);

/// As `try_device`: the plan is of the largest part of the matrix, in the GPU's memory, or
/// streaming through it where it does not fit or the place says so. Of a symmetric one that fits,
/// half is solved where the problem says so. `problem.threads`: of all processes together.
planner::DeviceChoice choose_process_device(const planner::DeviceProblem& problem,
                                            const planner::DevicePreference& preference,
                                            const ProcessPlace& place,
                                            const planner::FindDevices& find,
                                            const planner::RateSource& rates = {});

}  // namespace apsp::distributed
