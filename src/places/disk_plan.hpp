// How to solve a matrix that is stored on the disk, in the memory that there is: how wide steps are
// and how many rows pass through memory at a time.
//
// A step with panels of width b works n² · b relaxations, reads n² values and writes as many. Wider
// steps move less, so panels take all memory that strips leave (compare offload_plan.hpp); steps
// are at least four, so that a run that ends early loses a quarter at most, and all as wide as the
// widest need be.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::places {

struct DiskProblem {
  std::int64_t n = 0;
  std::int64_t tile = 0;    // side of the tiles of products
  std::int64_t memory = 0;  // bytes that may be used
  int threads = 1;
};

struct DiskPlan {
  std::int64_t tile = 0;
  std::int64_t band = 0;        // columns of a band on the disk; whole tiles
  std::int64_t width = 0;       // of a panel: whole bands, or n
  std::int64_t strip_rows = 0;  // of a strip of the rest; whole tiles
  std::int64_t bytes = 0;       // of memory, besides the graph
  // Where a device computes (streamed_disk_plan.hpp):
  std::int64_t buffers = 0;       // parts that are on their way at the same time
  std::int64_t device_bytes = 0;  // of its memory, or of that of each
  bool stays = false;             // all rows stay there, from the first step to the last
  int devices = 1;                // that share columns; more than one only where rows stay
  std::int64_t columns = 0;       // where rows stay: that a device holds at most

  std::int64_t steps(std::int64_t n) const { return width == 0 ? 0 : (n + width - 1) / width; }
  /// How often the matrix is read and written.
  std::int64_t passes(std::int64_t n) const {
    return stays ? std::min<std::int64_t>(1, steps(n)) : steps(n);
  }
  /// The share of the work that a device has at most.
  double share_of_device(std::int64_t n) const {
    return columns == 0 ? 1 : static_cast<double>(columns) / static_cast<double>(n);
  }
};

/// Strips that are read, worked on and written at the same time.
inline constexpr std::int64_t kStripBuffers = 3;

/// Values of one of them: a strip of the rest, or a panel's rows in one band.
std::int64_t strip_values(const DiskPlan& plan, std::int64_t n);

/// Memory that a plan takes; its `bytes` is not read.
std::int64_t disk_plan_bytes(const DiskPlan& plan, std::int64_t n,
                             const kernels::TileOperations& operations);

/// Where nothing fits, the plan that takes least, and `bytes` says so.
DiskPlan plan_disk(const DiskProblem& problem, const kernels::TileOperations& operations);

/// The plan of another width, which a run has begun with.
DiskPlan with_width(DiskPlan plan, std::int64_t width, const DiskProblem& problem,
                    const kernels::TileOperations& operations);

}  // namespace apsp::places
