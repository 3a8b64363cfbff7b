// The GPU of one process of a grid of processes, each of which has one.
//
// Processes of a machine take its GPUs in turn: of those that were named, or of all, process number
// i takes the one at i mod their number (Sao 2021, §5.1: a process a GPU). Where there are more
// processes than GPUs, those of one share its memory.
#pragma once

#include "planner/device_choice.hpp"

namespace apsp::planner {

struct ProcessPlace {
  int rows = 1, cols = 1;  // of the grid
  int number = 0;          // of this process on its machine
  int of_machine = 1;      // processes of this machine
  /// The part of some process does not fit its GPU: all of them stream.
  bool streams = false;
};

/// The GPU of this process alone, with its share of what is free there. Without names all of the
/// machine's are taken in turn. Throws `Error`: usage, device (none there).
Devices own_device(const DevicePreference& preference, const ProcessPlace& place,
                   const FindDevices& find);

/// As `choose_device`: the plan is of the largest part of the matrix, in the GPU's memory, or
/// streaming through it where it does not fit or the place says so. Of a symmetric one that fits,
/// half is solved where the problem says so. `problem.threads`: of all processes together.
DeviceChoice choose_process_device(const DeviceProblem& problem, const DevicePreference& preference,
                                   const ProcessPlace& place, const FindDevices& find,
                                   const RateSource& rates = {});

}  // namespace apsp::planner
