// The other half of a symmetric matrix that was solved as its triangle on a square grid.
//
// A tile above the diagonal is the transpose of one below it, which the process across the diagonal
// of the grid holds: each of the two gives the other what it lacks, a row of tiles at a time.
// Memory: two rows of tiles of a process's part.
#pragma once

#include "engine/processes.hpp"
#include "places/block_cyclic.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::engine {

/// All processes of the grid, whose parts are `held`, in the host's memory.
void mirror_grid(Processes& processes, const places::TiledMatrix& held,
                 const places::BlockCyclic& rows, const places::BlockCyclic& columns, int threads);

/// Memory for it, bytes.
std::int64_t mirror_bytes(const places::TiledMatrix& held);

}  // namespace apsp::engine
