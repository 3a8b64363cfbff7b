#pragma once

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Requires: supported(semiring, type). `by_bits`: the minimum of floats is taken as that of their
/// bits, which requires values of at least 0.
TileOperations tile_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits);

}  // namespace apsp::kernels::cpu
