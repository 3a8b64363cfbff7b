// A square matrix cut into square tiles; the last row and column of tiles may be ragged.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp {

struct Tiling {
  kernels::Tile matrix;  // [n, n]
  int value_size = 0;    // bytes
  std::int64_t tile = 0;

  std::int64_t n() const { return matrix.rows; }
  std::int64_t tiles() const { return (n() + tile - 1) / tile; }
  std::int64_t extent(std::int64_t t) const { return std::min(tile, n() - t * tile); }
  kernels::Tile at(std::int64_t ti, std::int64_t tj) const {
    return kernels::part(matrix, value_size, ti * tile, tj * tile, extent(ti), extent(tj));
  }
};

}  // namespace apsp
