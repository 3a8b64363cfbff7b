// How to solve a matrix on the disk by a device: what the device's memory holds, and what passes.
//
// The host's memory holds only parts that are on their way. A matrix that fits the device stays
// there, with a panel of packed rows: the disk is read once and written once (streamed_disk.hpp).
// Blocks of a sixteenth are small enough to begin early, and large enough for products.
//
// Of larger matrices the device holds a row panel, packed, n b values, the closed diagonal tile
// twice, 2 b², and the parts that it works on. A step reads and writes all, n² · b relaxations for
// n² values: panels are as wide as memory allows. With disks of 1.5 and 2.9 GB/s and GPUs of 17 T
// relaxations/s, work and transfers of f32 take the same time at b = 69,000.
#pragma once

#include <cstdint>

#include "kernels/device.hpp"
#include "places/disk_plan.hpp"

namespace apsp::places {

struct StreamedDiskProblem {
  std::int64_t n = 0;
  int value_size = 0;              // bytes
  std::int64_t tile = 0;           // side of the tiles in which diagonal tiles are closed
  std::int64_t memory = 0;         // bytes of the host's that may be used
  std::int64_t device_memory = 0;  // bytes of the device's
  std::int64_t band = 0;           // columns of a band of a matrix that is there; 0: chosen
  std::int64_t width = 0;          // of steps that values depend on, which pass; 0: chosen
};

/// Values that a part of the matrix takes of the host's memory at most.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n);
/// The same of the device's, where rows do not stay.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n, const kernels::DeviceSizes& device);

/// Where nothing fits, the plan that takes least of the host's memory, or else of the device's;
/// `bytes` and `device_bytes` say so. Requires: a band is whole granules of the device, or all
/// columns.
DiskPlan plan_streamed_disk(const StreamedDiskProblem& problem, const kernels::DeviceSizes& device);

}  // namespace apsp::places
