// Operations on tiles that also record the intermediate vertex of every improvement.
#pragma once

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Requires: supported(semiring, type). Packed operands are those of `TileOperations`.
WitnessOperations witness_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cpu
