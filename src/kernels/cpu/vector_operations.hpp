// Operations on one vector of values, for the best instruction set of this machine: what queries of
// single pairs are made of.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Of one semiring and value type. Vectors lie anywhere, aligned for their type; any n from 0 on;
/// entries at "no path" are allowed. Runs only on the calling thread; no overlap.
struct VectorOperations {
  /// y[i] ← y[i] ⊕ a ⊗ x[i] for i < n. Requires: no y[i] is worse than "no path".
  void (*relax)(const void* a, const void* x, void* y, std::int64_t n) = nullptr;
  /// value ← ⊕ x[i] ⊗ y[i] for i < n; "no path" for n = 0.
  void (*meet)(const void* x, const void* y, std::int64_t n, void* value) = nullptr;
  /// values[j] ← values[j] ⊕ (⊕ x[j, k] ⊗ from[places[k]] for k < n) for j < rows. x: [rows, n]
  /// without gaps. `values` may be others of the array `from`. Requires: no values[j] is worse than
  /// "no path".
  void (*meet_gathered)(const void* x, std::int64_t rows, const void* from,
                        const std::int32_t* places, std::int64_t n, void* values) = nullptr;
};

/// Requires: supported(semiring, type).
VectorOperations vector_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cpu
