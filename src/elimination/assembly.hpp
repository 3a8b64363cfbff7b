// The loops over values with which a front is filled, for each semiring and value type.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "elimination/entries.hpp"
#include "kernels/contract.hpp"

namespace apsp::elimination {

struct AssemblyOperations {
  /// `front` ← no path, but the empty path for the first `width` diagonal values; then ⊕ the
  /// entries. `row_of`: by position, the row of each in the front.
  void (*start)(kernels::View front, std::int64_t width, std::span<const Entry> entries,
                const Position* row_of);
  /// to[begin_to + j] ← itself ⊕ from[begin_from + j] for j < count: values of a row.
  void (*add)(const void* from, std::int64_t begin_from, void* to, std::int64_t begin_to,
              std::int64_t count);
};

AssemblyOperations assembly_operations(Semiring semiring, ValueType type);

}  // namespace apsp::elimination
