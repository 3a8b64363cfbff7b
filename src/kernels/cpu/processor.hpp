// The instruction sets of this processor, and those that the vector code needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cpu/needed_sets.hpp"

namespace apsp::kernels::cpu {

/// One bit for each of APSP_X86_SETS that this processor supports.
std::uint32_t present_sets() noexcept;
/// Ends the process with a message if a needed set is not present. Uses no code that may be
/// compiled for another processor, so it can be called first.
void require_sets(std::uint32_t needed, std::uint32_t present, int exit_code) noexcept;

/// Instruction sets for which kernels are compiled, best first, supported by this machine or not.
std::vector<std::string> compiled_instruction_sets();

}  // namespace apsp::kernels::cpu
