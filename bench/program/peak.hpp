// What a kernel's instruction mix could reach, for everything that is measured against it.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// An instruction mix at its best, for benchmarks: the micro-kernel without memory behind it.
struct PeakRun {
  double relaxations = 0;  ///< a repeat
  /// The value is the same for every number of repeats ≥ 1; it keeps the work from being removed.
  double (*run)(std::int64_t repeats) = nullptr;
};
/// The mix of min-plus over `type`, or, for `boolean`, of or-and with a vertex a bit. `sign`
/// matters to i32; `by_bits`, to floats: their minimum is taken as integers.
PeakRun peak_run(ValueType type, Sign sign, bool by_bits);

}  // namespace apsp::kernels::cpu
