// After a solve on a grid of processes: the upper triangle of a symmetric matrix, and edge counts
// from intermediate vertices.
//
// Triangle: a symmetric matrix is solved below the diagonal, on a square grid. A tile above the
// diagonal is the transpose of one of the process across the grid's diagonal. The two processes
// exchange them, a row of tiles at a time.
//
// Edges: hops(i, j) = hops(i, k) + hops(k, j) for k = via(i, j), and 1 without one
// (paths/via_path.hpp). Column k and row k may belong to other processes. So pairs are counted in
// the order of blocked Floyd-Warshall, by blocks of intermediate vertices: the diagonal tile, the
// row and column panels, which are then sent along columns and rows of the grid, and all other
// pairs. One sweep suffices if both halves of a path were found before it. If a half may have been
// improved later (bottlenecks, rounded sums), its pair waits, and the sweep is repeated until no
// pair waits.
#pragma once

#include <cstdint>

#include "cluster/processes.hpp"
#include "dense/grid.hpp"
#include "dense/tiled_matrix.hpp"

namespace apsp::cluster {

/// Collective over the grid; `held`: the parts, in host memory.
void mirror_grid(Processes& processes, const dense::TiledMatrix& held,
                 const dense::BlockCyclic& rows, const dense::BlockCyclic& columns, int threads);

/// Bytes of two rows of tiles of a process's part.
std::int64_t mirror_bytes(const dense::TiledMatrix& held);

/// The planes of a process's part of a solved matrix of n vertices.
struct HeldPlanes {
  std::int64_t n = 0;
  dense::BlockCyclic rows, columns;
  Semiring semiring{};
  ValueType type{};
  dense::TiledMatrix values, via;
};

/// Collective. hops: int32, as filled by `paths::write_hops`: −1 without a path, 0 on the diagonal.
/// Throws, in all processes, `Error` (input) if intermediate vertices form a cycle.
void count_hops(Processes& processes, const HeldPlanes& held, kernels::View hops, int threads);

/// Bytes in addition to the planes, for a part of rows × cols.
std::int64_t hop_counting_bytes(std::int64_t n, std::int64_t rows, std::int64_t cols,
                                std::int64_t tile);

}  // namespace apsp::cluster
