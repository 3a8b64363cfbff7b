// C ← C ⊕ A ⊗ B of matrices in the host's memory, by all threads: operands are packed in slices,
// tiles of C are shared out (Goto 2008).
#pragma once

#include <apsp/progress.hpp>
#include <functional>

#include "kernels/contract.hpp"

namespace apsp::engine {

/// Which tiles of C are worked on, by the numbers of a row and a column of tiles; empty: all.
using TileFilter = std::function<bool(std::int64_t ti, std::int64_t tj)>;

/// The side of the tiles.
inline constexpr std::int64_t kProductTile = 192;

/// A [m, k], B [k, n], C [m, n], which overlaps neither of them. Throws `Error` (interrupted).
void multiply_add(const kernels::TileOperations& operations, kernels::View c, kernels::ConstView a,
                  kernels::ConstView b, int threads, const Control& control,
                  const TileFilter& filter = {});

/// Bytes that it takes besides, for a product of that depth.
std::int64_t product_bytes(const kernels::TileOperations& operations, std::int64_t rows,
                           std::int64_t cols, std::int64_t depth);

}  // namespace apsp::engine
