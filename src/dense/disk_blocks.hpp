// Blocks of a matrix on the disk that stays on devices.
//
// Blocks cut rows and columns alike: pivots of an earlier run, and steps that are left. Devices
// take turns to hold blocks of columns, with all rows, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/device.hpp"

namespace apsp::dense {

struct DiskBlock {
  kernels::Range lines;  // rows, and columns of the matrix
  int owner = 0;         // the device with the columns
  kernels::Range held;   // local columns of the owner
};

/// Returns the number of columns of a device.
inline std::int64_t columns_of(const std::vector<DiskBlock>& blocks, int device) {
  std::int64_t columns = 0;
  for (const DiskBlock& block : blocks) {
    if (block.owner == device) columns += length(block.lines);
  }
  return columns;
}

/// The same of the one that holds most: the first or the last block may be narrower than others.
inline std::int64_t most_columns(const std::vector<DiskBlock>& blocks, int devices) {
  std::int64_t most = 0;
  for (int device = 0; device < devices; ++device) {
    most = std::max(most, columns_of(blocks, device));
  }
  return most;
}

/// `width`: of a block, vertices.
inline std::vector<DiskBlock> disk_blocks(std::int64_t n, std::int64_t first_pivot,
                                          std::int64_t width, int devices) {
  std::vector<DiskBlock> blocks;
  std::vector<std::int64_t> held(static_cast<std::size_t>(devices));
  for (std::int64_t first = 0; first < n;) {
    const std::int64_t last = first < first_pivot ? first_pivot : n;
    const std::int64_t end = std::min(first + width, last);
    const auto owner = static_cast<int>(std::ssize(blocks) % devices);
    std::int64_t& before = held[static_cast<std::size_t>(owner)];
    blocks.push_back({{first, end}, owner, {before, before + end - first}});
    before += end - first;
    first = end;
  }
  return blocks;
}

}  // namespace apsp::dense
