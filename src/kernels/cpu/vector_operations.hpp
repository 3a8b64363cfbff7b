// Operations on single vectors of values, for queries of single pairs.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Columns of a block of `descend` at a time: fewer are padded.
inline constexpr std::int64_t kDownwardColumns = 2;
/// Bytes after a block's values, `initial` values and distances that `descend` may access.
inline constexpr std::int64_t kDownwardSlack = 64;

/// The next block of `descend`. `structure`: its width, its number of columns, and for each column
/// the place of a distance, padded by places of "no path"; `values`: [columns, width]; `to`: the
/// place of its distances.
struct DownwardBlocks {
  const std::int32_t* structure;
  const void* values;
  void* to;
};

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
  /// to[j] ← initial[j] ⊕ (⊕ from[place of k] ⊗ values[k, j] for each column k) for each j of each
  /// of so many blocks, one after another, and moves `next` past them. `initial`: null: no paths.
  /// `from` may hold `to`. Padding reads values that follow the block's.
  void (*descend)(DownwardBlocks& next, std::int64_t blocks, const void* from,
                  const void* initial) = nullptr;
};

/// Requires: supported(semiring, type).
VectorOperations vector_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cpu
