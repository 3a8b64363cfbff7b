// How to solve a matrix on the disk by a device: what the device's memory holds, and what passes.
//
// The host's memory holds only parts that are on their way. A matrix that fits the device stays
// there, with a panel of packed rows: the disk is read once and written once (staying_disk.cpp).
// Blocks of a sixteenth are small enough to begin early, and large enough for products. Several
// devices hold the columns of some blocks each. Blocks are then cut so that the device with the
// most columns has as few as can be, and are as wide as that allows.
//
// Of larger matrices the device holds a row panel, packed, n b values, the closed diagonal tile
// twice, 2 b², and the parts that it works on. A step reads and writes all, n² · b relaxations for
// n² values: panels are as wide as memory allows. With disks of 1.5 and 2.9 GB/s and GPUs of 17 T
// relaxations/s, work and transfers of f32 take the same time at b = 69,000.
#pragma once

#include <cstdint>

#include "kernels/device.hpp"
#include "places/disk_plan.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::places {

struct StreamedDiskProblem {
  std::int64_t n = 0;
  int value_size = 0;              // bytes
  std::int64_t tile = 0;           // side of the tiles in which diagonal tiles are closed
  std::int64_t memory = 0;         // bytes of the host's that may be used
  std::int64_t device_memory = 0;  // bytes of the device's, or of each
  int devices = 1;                 // several: the matrix stays
  std::int64_t first_pivot = 0;    // that an earlier run has left
  std::int64_t band = 0;           // columns of a band of a matrix that is there; 0: chosen
  std::int64_t width = 0;          // of steps that values depend on, which pass; 0: chosen
};

/// Values that a part of the matrix takes of the host's memory at most, for each device.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n);
/// The same of the device's, where rows do not stay.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n, const kernels::DeviceSizes& device);

/// The diagonal tiles of a plan's steps, in the tiles in which they are closed, without memory.
TiledMatrix closing_tiling(const DiskPlan& plan, std::int64_t n, int value_size);

/// Packed left operands of a block that devices hold where rows stay: the next one of several comes
/// while one is multiplied.
inline int left_operands(int devices) { return devices > 1 ? 2 : 1; }

/// Where nothing fits, the plan that takes least of the host's memory, or else of the device's;
/// `bytes` and `device_bytes` say so. Requires: a band is whole granules of the device, or all
/// columns; widths that values depend on do not pass through several devices.
DiskPlan plan_streamed_disk(const StreamedDiskProblem& problem, const kernels::DeviceSizes& device);

}  // namespace apsp::places
