// One supernode and its upper vertices as a dense matrix, while the supernode is eliminated
// (multifrontal elimination: Duff 1983; over a semiring: Sao 2020).
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>

#include "base/aligned_memory.hpp"
#include "kernels/contract.hpp"

namespace apsp::elimination {

struct Front {
  kernels::View matrix;  // [width + upper, width + upper], the supernode's vertices first
  std::int64_t width = 0;
  bool symmetric = false;  // entries above the diagonal are not kept
};

/// Where the supernode's distances go, as in `Factor`; `down` is `up` where they are symmetric.
struct FrontResult {
  kernels::View closed, up, down;
};

/// Closes the supernode, writes its distances to `result`, and relaxes every pair of upper vertices
/// through it, in place. Returns −1, or the number of the pivot that lies on a negative cycle; the
/// front is then unspecified. `scratch` grows as needed and serves the next front too. Throws
/// `Error` (interrupted).
std::int64_t eliminate_front(const Front& front, const FrontResult& result,
                             const kernels::TileOperations& operations, kernels::Cycles cycles,
                             int threads, const Control& control, base::AlignedMemory& scratch);

}  // namespace apsp::elimination
