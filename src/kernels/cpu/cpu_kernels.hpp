// The CPU back end: tile operations for the best instruction set of this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Requires: supported(semiring, type).
TileOperations operations(Semiring semiring, ValueType type, Sign sign);

/// Instruction sets that this build has and this machine can run, best first ("AVX3", …).
std::vector<std::string> instruction_sets();
/// The one in use.
std::string instruction_set();
/// Use this one from now on (tests, benchmarks); empty: the best. Not thread-safe.
void force_instruction_set(const std::optional<std::string>& name);

}  // namespace apsp::kernels::cpu
