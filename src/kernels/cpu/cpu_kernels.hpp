// The CPU back end: tile operations for the best instruction set of this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Requires: supported(semiring, type).
TileOperations operations(Semiring semiring, ValueType type, Sign sign);
/// The same with a witness; operands packed by the former.
WitnessOperations witness_operations(Semiring semiring, ValueType type, Sign sign);

/// What this process spent on finding out which of two ways is faster here: some milliseconds, the
/// first time that operations on floats are asked for.
double seconds_of_trials();

/// An instruction mix at its best, for benchmarks: the micro-kernel without memory behind it.
struct PeakRun {
  double relaxations = 0;  ///< a repeat
  /// The value is the same for every number of repeats ≥ 1; it keeps the work from being removed.
  double (*run)(std::int64_t repeats) = nullptr;
};
/// The mix of min-plus over `type`, or, for `boolean`, of or-and with a vertex a bit. `sign`
/// matters to i32; `by_bits`, to floats: their minimum is taken as integers.
PeakRun peak_run(ValueType type, Sign sign, bool by_bits);

/// Instruction sets that this build has and this machine can run, best first ("AVX3", …).
std::vector<std::string> instruction_sets();
/// The one in use.
std::string instruction_set();
/// Use this one from now on (tests, benchmarks); empty: the best. Not thread-safe.
void force_instruction_set(const std::optional<std::string>& name);

}  // namespace apsp::kernels::cpu
