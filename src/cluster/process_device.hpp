// The GPU of one process of a grid of processes, each of which has one.
//
// Process number i of a machine takes the GPU at i mod their number, of the named ones or of all
// (Sao 2021, §5.1: a process for each GPU). If processes outnumber GPUs, those of one GPU share its
// memory.
#pragma once

#include "dense/offload_plan.hpp"
#include "planner/device_plan.hpp"

namespace apsp::cluster {

// The plan of a part that streams through its GPU (streamed_part.hpp): the width of panels, the
// buffers, and the predicted time.
//
// The largest part has m × n' values. A step with panels of width b does m · n' · b relaxations of
// it and moves m · n' values each way. Copies hide during work if b is large enough (Sao 2021, Eq.
// 5). Wider panels cost memory, and balance, because tiles have that width. The plan with the least
// sum over all steps is taken, of all widths and buffers that fit, by the model
//
//   step = max(work, copies, (work + copies in + out) / buffers, chain) + 10 µs a piece
//   chain = the next tile is closed and travels, then both panels travel
//
// where work includes that of the panels. The first panels travel without overlap, through pinned
// host memory.

/// A matrix on a grid of processes, each with `device_memory`; `tile` is not read.
struct OffloadGrid {
  dense::OffloadProblem problem{};
  int rows = 1, columns = 1;
  std::int64_t width = 0;  // width of a panel, a multiple of the granule; 0: chosen
  double messages = 4e9;   // bytes a second that a process receives
  double pinned = 2e9;     // bytes of host memory that are pinned a second
};

/// Returns the plan of all processes. Throws `Error` (does_not_fit) with the least memory that
/// would do.
dense::OffloadPlan plan_streamed_part(const OffloadGrid& grid, const dense::OffloadRates& rates,
                                      const kernels::DeviceSizes& sizes);

struct ProcessPlace {
  int rows = 1, cols = 1;  // the grid
  int number = 0;          // the number of this process on its machine
  int of_machine = 1;      // processes of this machine
  /// All processes stream, because the part of some process does not fit its GPU.
  bool streams = false;
};

/// Returns the GPU of this process with its share of the free memory. Without names the GPUs of the
/// machine are taken in turn. Throws `Error`: usage, device (there is none).
planner::Devices own_device(const planner::DevicePreference& preference, const ProcessPlace& place,
                            const planner::FindDevices& find);

/// Chooses as `try_device` does, for the largest part of the matrix. It is in the GPU's memory, or
/// streams if it does not fit or `place.streams`. Half of a symmetric matrix is solved if it fits
/// and the problem says so. `problem.threads`: the sum of all processes.
planner::DeviceChoice choose_process_device(const planner::DeviceProblem& problem,
                                            const planner::DevicePreference& preference,
                                            const ProcessPlace& place,
                                            const planner::FindDevices& find,
                                            const planner::RateSource& rates = {});

}  // namespace apsp::cluster
