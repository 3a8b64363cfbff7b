// Products of gathered rows, for the best instruction set of this machine.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Products for one semiring and type whose rows are named by a list, as in sweeps over a sparse
/// factor (nested dissection; PHAST: Delling 2011). Nothing is packed.
///
/// Layout    Rows of C, X and Y are aligned and padded to 64 bytes by the caller. A has
///           any alignment and stride. Any m and depth from 0; entries at "no path" are allowed.
/// Aliasing  A written row is read by no other part of the product, but may be in the same matrix.
/// Threads   Only the calling thread.
struct RowOperations {
  /// Values in 64 bytes; the columns of C, X and Y are a multiple of it.
  int lanes = 0;
  /// C ← C ⊕ A ⊗ X[rows]. C [m, cols]; A [m, depth]; X [any, cols]; rows [depth], repeats allowed.
  void (*multiply_gathered)(View c, ConstView a, ConstView x, const std::int32_t* rows) = nullptr;
  /// X[rows[i]] ← X[rows[i]] ⊕ (Aᵗ ⊗ Y)(i), i < m. A [depth, m]; Y [depth, cols]; rows [m],
  /// distinct.
  void (*multiply_scattered)(View x, const std::int32_t* rows, ConstView a, ConstView y) = nullptr;
};

/// Requires: supported(semiring, type).
RowOperations row_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cpu
