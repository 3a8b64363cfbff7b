// The CPU back end: tile operations for the best instruction set of this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/contract.hpp"
#include "kernels/cpu/witness_operations.hpp"

namespace apsp::kernels::cpu {

/// Requires: supported(semiring, type).
TileOperations operations(Semiring semiring, ValueType type, Sign sign);

/// Whether this machine computes the minimum of non-negative floats faster on their bits as
/// integers. It depends on the processor (Zen 5: a third faster; Intel's AVX-512: equal), so it is
/// measured once for each type and instruction set, in about 2 ms. Values are equal either way.
bool bits_order_faster(Semiring semiring, ValueType type, Sign sign);
/// Seconds that this process spent on these measurements.
double seconds_of_trials();

/// Compiled instruction sets that this machine supports, best first ("AVX3", …).
std::vector<std::string> instruction_sets();
std::string instruction_set();
/// Forces an instruction set (tests, benchmarks); empty: the best. Not thread-safe.
void force_instruction_set(const std::optional<std::string>& name);

}  // namespace apsp::kernels::cpu
