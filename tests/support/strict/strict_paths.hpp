// The operations of path_shares.hpp, row after row in textbook loops, and every way to misuse them
// as an error.
#pragma once

#include "support/strict/strict_memory.hpp"
#include "support/strict/strict_operations.hpp"

namespace apsp::kernels::strict {

/// Run, and checked against what memory holds by then. Throws `Error` (device).
void gather_distances(Memory& memory, const Accessor& who, const Operations& operations,
                      const GatheredDistances& gathered);
void share_paths(Memory& memory, const Accessor& who, const Operations& operations,
                 const PathShares& shares);

}  // namespace apsp::kernels::strict
