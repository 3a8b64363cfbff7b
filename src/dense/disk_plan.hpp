// The plan of a matrix on the disk: the width of steps, and the rows that pass through memory at a
// time.
//
// A step with panels of width b does n² · b relaxations, and reads and writes n² values. Wider
// steps move less, so panels take all memory that strips leave (compare offload_plan.hpp). There
// are at least four steps, so that a run that ends early loses at most a quarter, all of about the
// same width.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::dense {

struct DiskProblem {
  std::int64_t n = 0;
  std::int64_t tile = 0;    // side of the tiles of products
  std::int64_t memory = 0;  // bytes that may be used
  int threads = 1;
};

struct DiskPlan {
  std::int64_t tile = 0;
  std::int64_t band = 0;        // columns of a band on the disk; whole tiles
  std::int64_t width = 0;       // width of a panel: whole bands, or n
  std::int64_t strip_rows = 0;  // rows of a strip of the remainder; whole tiles
  std::int64_t bytes = 0;       // bytes of memory, without the graph
  // Where a device computes (streamed_disk_plan.hpp):
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

/// Strips that are read, updated and written at the same time.
inline constexpr std::int64_t kStripBuffers = 3;

/// Returns the values of a strip of the remainder, or of a panel's rows in one band.
std::int64_t strip_values(const DiskPlan& plan, std::int64_t n);

/// Returns bytes of memory of a plan; its `bytes` is not read.
std::int64_t disk_plan_bytes(const DiskPlan& plan, std::int64_t n,
                             const kernels::TileOperations& operations);

/// Returns the plan; if none fits, the one of the least `bytes`.
DiskPlan plan_disk(const DiskProblem& problem, const kernels::TileOperations& operations);

/// Returns the plan with the width that an earlier run began with.
DiskPlan with_width(DiskPlan plan, std::int64_t width, const DiskProblem& problem,
                    const kernels::TileOperations& operations);

}  // namespace apsp::dense
