// The limit of a kernel's instruction mix, for everything that is compared with it.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// An instruction mix at its best: the micro-kernel on operands that need no memory.
struct PeakRun {
  double relaxations = 0;  ///< a repeat
  /// The value is the same for every number of repeats ≥ 1; it keeps the work from being removed.
  double (*run)(std::int64_t repeats) = nullptr;
};
/// The mix of min-plus over `type`, or, for `boolean`, of or-and with a vertex a bit. `sign`
/// matters to i32; `by_bits`, to floats: their minimum is taken as integers.
PeakRun peak_run(ValueType type, Sign sign, bool by_bits);

}  // namespace apsp::kernels::cpu
