// Closure of matrices so small that a padded copy stays in the first-level cache: no row has a
// remainder, no path is skipped, and no operand is packed.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Properties of the values of a matrix. Only finite values of sums count, except for `bad`.
struct MatrixSurvey {
  bool bad = false;  ///< a value is NaN or beyond "no path"
  bool negative = false;
  double longest_path = 0;  ///< no simple path is longer: Σ over rows of the largest magnitude
};

struct SmallMatrixOperations {
  /// Returns the values of a row of a padded copy: n, rounded up to whole vectors.
  std::int64_t (*padded)(std::int64_t n);
  /// Reads every value, and copies the matrix to `copy`, [n, padded(n)], 64-byte aligned, with "no
  /// path" as padding and a diagonal of at least the empty path; bytes other than 0 become 1.
  MatrixSurvey (*survey)(ConstView matrix, void* copy);
  /// D ← D* by pivots in order, in a padded copy; returns as `TileOperations::close` with
  /// `Cycles::possible`, to the same bits for n ≤ kSmallTile. Requires: no negative values.
  std::int64_t (*close)(void* copy, std::int64_t n);
};

/// Requires: supported(semiring, type).
SmallMatrixOperations small_matrix_operations(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cpu
