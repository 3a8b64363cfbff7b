// Potentials over whole rows of a matrix, for the best instruction set of this machine.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/potential.hpp"

namespace apsp::kernels::cpu {

/// Of one row, without "no path".
struct LargestOfRow {
  double reduced = 0;   ///< d'
  double distance = 0;  ///< |d|
};

/// `sign` −1 stands for longest paths: weights are negated first, distances at the end.
struct PotentialOperations {
  /// row[j] ← reduced(sign · row[j], from, to[j]).
  void (*reduce)(void* row, std::int64_t n, Potential from, const Potential* to, double sign);
  /// row[j] ← sign · restored(row[j], from, to[j]).
  LargestOfRow (*restore)(void* row, std::int64_t n, Potential from, const Potential* to,
                          double sign);
};

/// Requires: f32 or f64.
PotentialOperations potential_operations(ValueType type);

}  // namespace apsp::kernels::cpu
