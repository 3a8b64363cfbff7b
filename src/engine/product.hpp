// C ← C ⊕ A ⊗ B of whole matrices, by all threads.
//
// A and B are packed some 800 pivots at a time, each once, and serve every tile of C (Goto 2008):
// the outer update of Floyd-Warshall without the rest of its step. Tiles are the tasks. Where
// threads outnumber them, tiles are smaller.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <functional>

#include "kernels/device.hpp"

namespace apsp::engine {

/// C [m, n] shares no value with A [m, k] and B [k, n].
struct MatrixProduct {
  kernels::View c;
  kernels::ConstView a, b;
};

/// What the values of an operand allow.
struct OperandFacts {
  bool negative = false;  // a finite value has a minus sign, −0 too; only of sums
  double largest = 0;     // magnitude of a finite value; only of sums of integers
};

/// Looks at every value. `title`: "A". Throws `Error` (usage) for a NaN or a value beyond "no
/// path".
OperandFacts look_at_operand(Semiring semiring, ValueType type, kernels::ConstView matrix,
                             const char* title, int threads);
/// Throws it, for the value at row · cols + column.
[[noreturn]] void refuse_operand(const char* title, std::int64_t place, std::int64_t cols);

/// Whether a tile of C is worked on, by its rows and columns; empty: all are.
using TileFilter = std::function<bool(kernels::Range rows, kernels::Range cols)>;

/// Throws `Error`: interrupted, does_not_fit (no memory for packed operands).
void multiply_add(const kernels::TileOperations& operations, const MatrixProduct& product,
                  int threads, const Control& control, const TileFilter& filter = {});
/// The same over a semiring of one's own. Throws what its operations throw, too.
void multiply_add(const detail::OwnKernels& kernels, const MatrixProduct& product, int threads,
                  const Control& control);

}  // namespace apsp::engine
