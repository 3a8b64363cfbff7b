// The loops over values with which a front is filled, for each semiring and value type.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "elimination/entries.hpp"
#include "kernels/contract.hpp"

namespace apsp::elimination {

struct AssemblyOperations {
  /// Rows ← no path. Requires: nothing lies between them.
  void (*clear)(kernels::View rows);
  /// The first `width` diagonal values of `front` ← the empty path; then ⊕ the entries. `row_of`:
  /// by position, the row of each in the front.
  void (*put)(kernels::View front, std::int64_t width, std::span<const Entry> entries,
              const Position* row_of);
  /// to[begin_to + j] ← itself ⊕ from[begin_from + j] for j < count: values of a row.
  void (*add)(const void* from, std::int64_t begin_from, void* to, std::int64_t begin_to,
              std::int64_t count);
};

AssemblyOperations assembly_operations(Semiring semiring, ValueType type);

}  // namespace apsp::elimination
