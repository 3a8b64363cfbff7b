// Operations on whole rows of a matrix, for the best instruction set of this machine.
#pragma once

#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/double_double.hpp"
#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

using base::Potential;

/// Products whose rows are named by a list: sweeps over a sparse factor read and write rows of one
/// matrix of distances (nested dissection; PHAST: Delling 2011). One semiring and value type.
/// Nothing is packed: A's values are read where they lie.
///
/// Layout    Rows of C, X and Y begin on 64 bytes, and their columns fill whole 64 bytes: the
///           caller pads. A lies anywhere, at any stride. Any m and depth from 0 on; entries at
///           "no path" are allowed.
/// Aliasing  A row that is written is read by no other part of the product: C or X[rows] may lie in
///           the matrix that the other rows are read from.
/// Threads   As in the contract: only the calling thread.
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

/// The largest values of one row, without "no path".
struct LargestOfRow {
  double reduced = 0;   ///< d'
  double distance = 0;  ///< |d|
};

/// Potentials over whole rows of a matrix. `sign` −1 stands for longest paths: weights are negated
/// first, distances at the end.
struct PotentialOperations {
  /// row[j] ← reduced(sign · row[j], from, to[j]).
  void (*reduce)(void* row, std::int64_t n, Potential from, const Potential* to, double sign);
  /// row[j] ← sign · restored(row[j], from, to[j]).
  LargestOfRow (*restore)(void* row, std::int64_t n, Potential from, const Potential* to,
                          double sign);
};

/// Requires: f32 or f64.
PotentialOperations potential_operations(ValueType type);

/// Bytes [rows, bytes] go to `to` + where[i] × bytes, past the caches. Both begin on 64 bytes, and
/// rows are whole 64 bytes.
void spread_rows(const std::byte* from, std::span<const std::uint32_t> where, std::int64_t bytes,
                 std::byte* to);

/// to[i][j] ← entry (j, i) of `from` for i < count and j < from.rows. `from`: its rows begin on 64
/// bytes and are whole 64 bytes apart, `count` of their values and what fills 64 bytes are read.
/// to[i]: aligned for its values; on 64 bytes is faster. Runs only on the calling thread; no
/// overlap.
using TransposeRows = void (*)(ConstView from, void* const* to, std::int64_t count);

/// For values of 1, 2, 4 or 8 bytes.
TransposeRows transpose_rows(int value_size);

}  // namespace apsp::kernels::cpu
