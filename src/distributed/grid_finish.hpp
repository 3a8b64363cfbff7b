// After a solve on a grid of processes: the upper triangle of a symmetric matrix, and the numbers
// of edges behind intermediate vertices.
//
// The triangle: a symmetric matrix is solved below the diagonal, on a square grid. A tile above the
// diagonal is the transpose of one below it, which the process across the diagonal of the grid
// holds. Each of the two gives the other what it lacks, a row of tiles at a time.
//
// Edges: hops(i, j) = hops(i, k) + hops(k, j) for k = via(i, j), and 1 where there is none
// (paths/via_path.hpp). The two halves of a pair lie in column k and row k of the matrix, which
// other processes may hold. So pairs are counted in the order of blocked Floyd-Warshall, for block
// after block of intermediate vertices: pairs in the diagonal tile, then in the row and the column
// panel, which are then sent along the columns and rows of the grid, then all other pairs whose
// intermediate vertex is in the block.
//
// One sweep over all blocks is enough where both halves of a path were found before the path. Where
// a half may have been improved later (bottlenecks, rounded sums), its pair waits for a later
// block, and the sweep is repeated until no pair waits.
#pragma once

#include <cstdint>

#include "distributed/processes.hpp"
#include "places/block_cyclic.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::distributed {

/// All processes of the grid, whose parts are `held`, in the host's memory.
void mirror_grid(Processes& processes, const places::TiledMatrix& held,
                 const places::BlockCyclic& rows, const places::BlockCyclic& columns, int threads);

/// Memory for it, bytes: two rows of tiles of a process's part.
std::int64_t mirror_bytes(const places::TiledMatrix& held);

/// What a process holds of a solved matrix of n vertices.
struct HeldPlanes {
  std::int64_t n = 0;
  places::BlockCyclic rows, columns;
  Semiring semiring{};
  ValueType type{};
  places::TiledMatrix values, via;
};

/// All processes. hops: int32, as `paths::write_hops` fills it: −1 without a path, 0 on the
/// diagonal. Throws, in all of them, `Error` (input) where the vertices lead in a circle.
void count_hops(Processes& processes, const HeldPlanes& held, kernels::View hops, int threads);

/// Memory for it besides the planes, bytes, of a part of rows × cols.
std::int64_t hop_counting_bytes(std::int64_t n, std::int64_t rows, std::int64_t cols,
                                std::int64_t tile);

}  // namespace apsp::distributed
