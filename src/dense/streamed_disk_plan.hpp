// The plan of a matrix on the disk that devices compute.
//
// The host's memory holds only passing parts. A matrix that fits the device stays there, with a
// panel of packed rows, and is read and written once (staying_disk.hpp). Blocks of a sixteenth are
// small enough to begin early and large enough for products. Several devices hold the columns of
// some blocks each; blocks are as wide as they can be while the largest share of columns is least.
//
// For larger matrices the device holds a packed row panel, n b values, the closed diagonal tile
// twice, 2 b², and the parts that it updates. A step reads and writes all n² values for n² · b
// relaxations, so panels are as wide as memory allows. With disks of 1.5 and 2.9 GB/s and GPUs of
// 17 T relaxations/s, work and transfers of f32 take the same time at b = 69,000.
#pragma once

#include <cstdint>

#include "dense/disk_plan.hpp"
#include "dense/tiled_matrix.hpp"
#include "kernels/device.hpp"

namespace apsp::dense {

struct StreamedDiskProblem {
  std::int64_t n = 0;
  int value_size = 0;              // bytes
  std::int64_t tile = 0;           // side of the tiles in which diagonal tiles are closed
  std::int64_t memory = 0;         // bytes of host memory that may be used
  std::int64_t device_memory = 0;  // bytes of memory of each device that may be used
  int devices = 1;                 // several: the matrix stays
  std::int64_t first_pivot = 0;    // the first pivot that an earlier run has not done
  std::int64_t band = 0;           // columns of a band of an existing matrix; 0: chosen
  std::int64_t width = 0;          // the width of passing steps that values depend on; 0: chosen
};

/// Returns the most values of a passing part in host memory, for each device.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n);
/// Returns the most values of a passing part in device memory, if rows do not stay.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n, const kernels::DeviceSizes& device);

/// Returns the shape of a plan's diagonal tiles, in the tiles of their closing, without memory.
TiledMatrix closing_tiling(const DiskPlan& plan, std::int64_t n, int value_size);

/// Returns the number of packed left operands if rows stay: several devices receive the next one
/// during a product.
inline int left_operands(int devices) { return devices > 1 ? 2 : 1; }

/// Returns the plan; if none fits, the one that needs the least host memory, or else device memory
/// (`bytes`, `device_bytes`). Requires: a band is whole granules of the device, or all columns;
/// widths that values depend on do not pass through several devices.
DiskPlan plan_streamed_disk(const StreamedDiskProblem& problem, const kernels::DeviceSizes& device);

}  // namespace apsp::dense
