// The plan of a matrix on the disk (disk_memory.hpp): which rows stay in memory, the width of
// steps, and the parts that pass through memory at a time.
//
// Rows that pass: a step with panels of width b does n² · b relaxations, and reads and writes n²
// values. Memory holds a packed row panel, n b values, the closed diagonal tile, and the parts that
// are updated. Wider steps move less, so panels take all memory that parts leave (compare
// offload_plan.hpp), and steps have about the same width. With disks of 1.5 and 2.9 GB/s and GPUs
// of 17 T relaxations/s, work and transfers of f32 take the same time at b = 69,000. Where the host
// computes there are at least four steps, so that a run that ends early loses at most a quarter.
//
// Where devices compute, the host's memory holds only passing parts. A matrix that fits the devices
// stays there, with a panel of packed rows, and is read and written once. Blocks of a sixteenth are
// small enough to begin early and large enough for products. Several devices hold the columns of
// some blocks each; blocks are as wide as they can be while the largest share of columns is least.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dense/tiled_matrix.hpp"
#include "kernels/device.hpp"

namespace apsp::dense {

struct DiskProblem {
  std::int64_t n = 0;
  int value_size = 0;              // bytes
  std::int64_t tile = 0;           // side of the tiles in which diagonal tiles are closed
  std::int64_t memory = 0;         // bytes of host memory that may be used
  std::int64_t device_memory = 0;  // bytes of memory of each device that may be used
  int devices = 0;                 // 0: the host's threads compute; several: the matrix stays
  int threads = 1;                 // of the host, if they compute
  std::int64_t first_pivot = 0;    // the first pivot that an earlier run has not done
  std::int64_t band = 0;           // columns of a band of an existing matrix; 0: chosen
  std::int64_t width = 0;          // the width of passing steps that values depend on; 0: chosen
};

struct DiskPlan {
  std::int64_t tile = 0;
  std::int64_t band = 0;          // columns of a band on the disk; where the host computes, tiles
  std::int64_t width = 0;         // width of a panel: whole bands, or n
  std::int64_t strip_rows = 0;    // rows of a passing part; whole tiles, or granules of a device
  std::int64_t bytes = 0;         // bytes of memory, without the graph
  std::int64_t buffers = 0;       // parts that pass at the same time
  std::int64_t device_bytes = 0;  // bytes of memory of each device
  bool stays = false;             // all rows stay on devices from the first step to the last
  int devices = 1;                // more than one only if rows stay
  std::int64_t columns = 0;       // if rows stay: the most columns of a device

  std::int64_t steps(std::int64_t n) const { return width == 0 ? 0 : (n + width - 1) / width; }
  /// Returns how often the matrix is read and written.
  std::int64_t passes(std::int64_t n) const {
    return stays ? std::min<std::int64_t>(1, steps(n)) : steps(n);
  }
  /// Returns the greatest share of the work of a device.
  double share_of_device(std::int64_t n) const {
    return columns == 0 ? 1 : static_cast<double>(columns) / static_cast<double>(n);
  }
};

/// Rows of a matrix that stays, and as many columns. Blocks cut pivots of an earlier run, and steps
/// that are left. Devices take turns to hold blocks of columns, with all rows, one after the other.
struct DiskBlock {
  kernels::Range lines;  // rows, and columns of the matrix
  int owner = 0;         // the device with the columns
  kernels::Range held;   // local columns of the owner
};

/// `width`: of a block, vertices.
std::vector<DiskBlock> disk_blocks(std::int64_t n, std::int64_t first_pivot, std::int64_t width,
                                   int devices);
/// Returns the number of columns of a device.
std::int64_t columns_of(const std::vector<DiskBlock>& blocks, int device);

/// Returns the most values of a passing part in the host's memory, for each device that computes.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n);
/// Returns the most values of a passing part in memory with the strides of `device`, if rows do not
/// stay.
std::int64_t part_values(const DiskPlan& plan, std::int64_t n, const kernels::DeviceSizes& device);

/// Returns the shape of a plan's diagonal tiles, in the tiles of their closing, without memory.
TiledMatrix closing_tiling(const DiskPlan& plan, std::int64_t n, int value_size);

/// Returns the number of packed left operands if rows stay: several devices receive the next one
/// during a product.
inline int left_operands(int devices) { return devices > 1 ? 2 : 1; }

/// Returns the plan; if none fits, the one that needs the least host memory, or else device memory
/// (`bytes`, `device_bytes`). `device`: of the host where it computes
/// (kernels/host/host_device.hpp). Requires: a band is whole granules of the device, or all
/// columns; widths that values depend on do not pass through several devices.
DiskPlan plan_disk(const DiskProblem& problem, const kernels::DeviceSizes& device);

}  // namespace apsp::dense
