// Operations on single vectors of values, for queries of single pairs.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Operations for one semiring and value type. Vectors have the alignment of their type and any
/// length n ≥ 0; entries at "no path" are allowed; no overlap. They run on the calling thread.
struct VectorOperations {
  /// y[i] ← y[i] ⊕ a ⊗ x[i] for i < n. Requires: no y[i] is worse than "no path".
  void (*relax)(const void* a, const void* x, void* y, std::int64_t n) = nullptr;
  /// value ← ⊕ x[i] ⊗ y[i] for i < n; "no path" for n = 0.
  void (*meet)(const void* x, const void* y, std::int64_t n, void* value) = nullptr;
  /// values[j] ← values[j] ⊕ (⊕ x[j, k] ⊗ from[places[k]] for k < n) for j < rows. x: [rows, n]
  /// without padding. `values` may be other elements of `from`. Requires: no values[j] is worse
  /// than "no path".
  void (*meet_gathered)(const void* x, std::int64_t rows, const void* from,
                        const std::int32_t* places, std::int64_t n, void* values) = nullptr;
};

/// Requires: supported(semiring, type).
VectorOperations vector_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cpu
