// The product whose rows are named by a list: sweeps over a sparse factor read and write rows of
// one matrix of distances (nested dissection; PHAST: Delling 2011).
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// One semiring and value type. Nothing is packed: A's values are read where they lie.
///
/// Layout    Rows of C, X and Y begin on 64 bytes, and their columns fill whole 64 bytes: the
/// caller
///           pads. A lies anywhere, at any stride. Any m and depth from 0 on; entries at "no path"
///           are allowed.
/// Aliasing  A row that is written is read by no other part of the product: C or X[rows] may lie in
///           the matrix that the other rows are read from.
/// Threads   As in the contract: the calling thread alone.
struct RowOperations {
  /// Values in 64 bytes; columns of C, X and Y must be a multiple of it.
  int lanes = 0;
  /// C ← C ⊕ A ⊗ X[rows]. C [m, cols]; A [m, depth]; row k of the right operand is row rows[k] of
  /// X [any, cols]; rows [depth], repeats allowed.
  void (*multiply_gathered)(View c, ConstView a, ConstView x, const std::int32_t* rows) = nullptr;
  /// X[rows[i]] ← X[rows[i]] ⊕ (Aᵗ ⊗ Y)(i) for i < m. A [depth, m]; Y [depth, cols]; rows [m],
  /// distinct.
  void (*multiply_scattered)(View x, const std::int32_t* rows, ConstView a, ConstView y) = nullptr;
};

/// Requires: supported(semiring, type).
RowOperations row_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cpu
