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

struct LargestOfRow {
  double reduced = 0;   ///< d'
  double distance = 0;  ///< |d|
};

/// Potentials for whole rows. `sign` −1: longest paths, weights are negated first, distances last.
struct PotentialOperations {
  /// row[j] ← reduced(sign · row[j], from, to[j]).
  void (*reduce)(void* row, std::int64_t n, Potential from, const Potential* to, double sign);
  /// row[j] ← sign · restored(row[j], from, to[j]), never −0.
  LargestOfRow (*restore)(void* row, std::int64_t n, Potential from, const Potential* to,
                          double sign);
};

PotentialOperations potential_operations(ValueType type);

/// Copies row i of from [rows, bytes] to `to` + where[i] × bytes, past the caches. Both are aligned
/// to 64 bytes, and `bytes` is a multiple of 64.
void spread_rows(const std::byte* from, std::span<const std::uint32_t> where, std::int64_t bytes,
                 std::byte* to);

/// to[i][j] ← entry (j, i) of `from` for i < count and j < from.rows. Rows of `from` are aligned
/// and padded to 64 bytes; `count` values and their padding are read. to[i] is aligned for its
/// values; 64 bytes are faster. Runs on the calling thread; no overlap.
using TransposeRows = void (*)(ConstView from, void* const* to, std::int64_t count);

TransposeRows transpose_rows(int value_size);

}  // namespace apsp::kernels::cpu
