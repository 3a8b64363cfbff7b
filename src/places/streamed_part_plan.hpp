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
#pragma once

#include "places/offload_plan.hpp"

namespace apsp::places {

/// A matrix on a grid of processes, each with `device_memory`; `tile` is not read.
struct OffloadGrid {
  OffloadProblem problem{};
  int rows = 1, columns = 1;
  std::int64_t width = 0;  // of a panel, a multiple of the granule; 0: chosen
  double messages = 4e9;   // bytes a second that come to a process
  double pinned = 2e9;     // bytes of host memory a second
};

/// The same for all processes. Throws `Error` (does_not_fit), with the least memory that would do.
OffloadPlan plan_streamed_part(const OffloadGrid& grid, const OffloadRates& rates,
                               const kernels::DeviceSizes& sizes);

}  // namespace apsp::places
