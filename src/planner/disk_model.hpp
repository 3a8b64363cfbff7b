// How long a solve over a matrix on the disk takes: a pure function of the plan's steps and of a
// machine's figures.
//
//   fill + steps · max(work of a step, bytes in + bytes out of a step) + bytes in, for the sinks
//
// Reads and writes of a disk are taken one after another, as they are given to it
// (places/disk_queue.hpp).
#pragma once

#include <cstdint>

#include "places/disk_plan.hpp"

namespace apsp::planner {

/// Of the disk that an output goes to.
struct DiskRates {
  /// Cautious: disks that do less are rotating ones.
  double disk_read_bytes_per_second = 4e8;
  double disk_write_bytes_per_second = 2e8;
  bool rough = true;  // not measured on this machine
};

/// Seconds until all rows have been passed on. `work`: seconds of the relaxations alone.
double predict_on_disk(const places::DiskPlan& plan, std::int64_t n, int value_size, double work,
                       const DiskRates& rates);

}  // namespace apsp::planner
