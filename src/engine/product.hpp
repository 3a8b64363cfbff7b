// C ← C ⊕ A ⊗ B of whole matrices on all threads.
//
// A and B are packed once, some 800 pivots at a time, and serve every tile of C (Goto 2008). Tiles
// of C are the tasks, smaller ones if there are fewer than threads need.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <functional>

#include "kernels/device.hpp"

namespace apsp::engine {

/// C [m, n] shares no memory with A [m, k] and B [k, n].
struct MatrixProduct {
  kernels::View c;
  kernels::ConstView a, b;
};

struct OperandFacts {
  bool negative = false;  // any finite value or −0 has a minus sign; sums only
  double largest = 0;     // magnitude of finite values; sums of integers only
};

/// `title`: "A". Throws `Error` (usage) for a NaN or a value beyond "no path".
OperandFacts look_at_operand(Semiring semiring, ValueType type, kernels::ConstView matrix,
                             const char* title, int threads);
/// Throws this error for the value at row · cols + column.
[[noreturn]] void refuse_operand(const char* title, std::int64_t place, std::int64_t cols);

/// Whether to compute a tile of C; empty: compute all.
using TileFilter = std::function<bool(kernels::Range rows, kernels::Range cols)>;

/// Throws `Error`: interrupted, does_not_fit (no memory for packed operands).
void multiply_add(const kernels::TileOperations& operations, const MatrixProduct& product,
                  int threads, const Control& control, const TileFilter& filter = {});
/// The same over a caller's semiring. Also throws what its operations throw.
void multiply_add(const detail::OwnKernels& kernels, const MatrixProduct& product, int threads,
                  const Control& control);

}  // namespace apsp::engine
