// How the warps of a launch share the rows and strips of columns of a matrix, for count_*.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace apsp::kernels::cuda {

/// A warp's strip and its rows. Blocks have kWarps warps. Sets of warps, of which each has all
/// strips, share the rows. The sets whose warps share blocks form a group. A group's rows follow
/// each other, and its sets take tiles of them in turn, so that the rows of a block are always
/// neighbours.
template <int kWarps>
struct StripWalk {
  int strip;
  int row, end;     // of the first tile, and of all rows of the group
  int tiles, tile;  // tiles of a warp, and the rows of one
  int others;       // rows of the other sets between two tiles

  /// `most`: the most rows of a tile.
  __device__ StripWalk(int strips, int rows, int most) {
    const int warp = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
    // Warps beyond the last complete set of strips have no rows.
    const int sets = static_cast<int>(gridDim.x) * kWarps / strips, set = warp / strips;
    int in_group = kWarps;  // kWarps / gcd(kWarps, strips), as kWarps is a power of two
    for (int left = strips; in_group > 1 && left % 2 == 0; left /= 2) in_group /= 2;
    const int first = set / in_group * in_group;
    in_group = min(in_group, max(1, sets - first));
    const int length = max(1, (rows + sets - 1) / sets);
    tiles = (length - 1) / most + 1;
    tile = (length + tiles - 1) / tiles;
    others = (in_group - 1) * tile;
    strip = warp % strips;
    const std::int64_t of_set = std::int64_t{tile} * tiles;
    row = static_cast<int>(min(std::int64_t{rows}, first * of_set + (set - first) * tile));
    end = set < sets ? static_cast<int>(min(std::int64_t{rows}, (first + in_group) * of_set)) : row;
  }

  /// Calls f(row) for some of all rows. A thread that knows their greatest distances finds few that
  /// are greater, and rows that follow each other have ever greater ones otherwise.
  template <class F>
  __device__ void sample(int rows, const F& f) const {
    constexpr int kSampled = 32, kWorthwhile = 8 * kSampled;
    if (row >= end || tiles * tile < kWorthwhile) return;
    for (int k = 0; k < kSampled; ++k) {
      f(static_cast<int>(std::int64_t{rows} * (2 * k + 1) / (2 * kSampled)));
    }
  }
};

}  // namespace apsp::kernels::cuda
