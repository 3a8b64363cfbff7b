// The numbers of edges behind intermediate vertices, on a grid of processes.
//
// hops(i, j) = hops(i, k) + hops(k, j) for k = via(i, j), and 1 where there is none
// (query/via_path.hpp). Halves of a pair lie in row k and column k of the matrix, elsewhere. So
// pairs are counted as Floyd-Warshall found them: for block after block of intermediate vertices
// its diagonal tile, its row and column panel, which travel along the columns and rows of the grid,
// then all others whose vertex is in the block. Where shorter halves make shorter paths that is
// all; where they need not (bottlenecks, rounded sums), pairs may wait for a later block, and the
// sweep over all blocks is done again until none waits.
#pragma once

#include <cstdint>

#include "engine/processes.hpp"
#include "places/deal.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::engine {

/// What a process holds of a solved matrix of n vertices.
struct HeldPlanes {
  std::int64_t n = 0;
  places::Deal rows, columns;
  Semiring semiring{};
  ValueType type{};
  places::TiledMatrix values, via;
};

/// All processes. hops: int32, as `query::write_hops` fills it: −1 without a path, 0 on the
/// diagonal. Throws, in all of them, `Error` (input) where the vertices lead in a circle.
void count_hops(Processes& processes, const HeldPlanes& held, kernels::View hops, int threads);

/// Memory for it besides the planes, bytes, of a part of rows × cols.
std::int64_t hop_counting_bytes(std::int64_t n, std::int64_t rows, std::int64_t cols,
                                std::int64_t tile);

}  // namespace apsp::engine
