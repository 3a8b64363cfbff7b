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

/// Whether this machine takes the least of non-negative floats faster as integers. It depends on
/// the processor (Zen 5: a third; Intel's AVX-512: nothing), so it is measured once
/// for each type and instruction set, in some 2 ms; the values are the same either way.
bool bits_order_faster(Semiring semiring, ValueType type, Sign sign);
/// Seconds that this process spent on such measurements.
double seconds_of_trials();

/// Instruction sets that this build has and this machine can run, best first ("AVX3", …).
std::vector<std::string> instruction_sets();
/// The one in use.
std::string instruction_set();
/// Use this one from now on (tests, benchmarks); empty: the best. Not thread-safe.
void force_instruction_set(const std::optional<std::string>& name);

}  // namespace apsp::kernels::cpu
