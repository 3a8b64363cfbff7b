#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "kernels/contract.hpp"
#include "system/machine.hpp"

namespace apsp::planner {

/// Throws `Error` (usage) if a side is negative, or larger than a store takes. 0: chosen.
void require_tile(std::int64_t tile);

/// The plan of a matrix over a caller's semiring, on the host. Throws `Error` (usage).
struct OwnPlan {
  std::int64_t tile = 0;  ///< side, vertices
  int threads = 1;
};
OwnPlan plan_own_matrix(std::int64_t n, int value_size, const FloydWarshallOptions& options);

/// Returns the side of a tile for n vertices; `level1_bytes`: of each thread's first-level cache.
std::int64_t choose_tile(std::int64_t n, int threads, const kernels::TileOperations& operations,
                         std::int64_t level1_bytes = system::level1_cache_bytes());

}  // namespace apsp::planner
