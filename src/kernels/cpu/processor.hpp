// What the vector code is compiled for, and whether this processor has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Sets of instructions of x86 that a compiler uses by itself: its macro, and its name of the set.
#define APSP_X86_SETS(SET)                    \
  SET(__SSE3__, "sse3")                       \
  SET(__SSSE3__, "ssse3")                     \
  SET(__SSE4_1__, "sse4.1")                   \
  SET(__SSE4_2__, "sse4.2")                   \
  SET(__POPCNT__, "popcnt")                   \
  SET(__AVX__, "avx")                         \
  SET(__AVX2__, "avx2")                       \
  SET(__FMA__, "fma")                         \
  SET(__BMI__, "bmi")                         \
  SET(__BMI2__, "bmi2")                       \
  SET(__AVX512F__, "avx512f")                 \
  SET(__AVX512CD__, "avx512cd")               \
  SET(__AVX512DQ__, "avx512dq")               \
  SET(__AVX512BW__, "avx512bw")               \
  SET(__AVX512VL__, "avx512vl")               \
  SET(__AVX512IFMA__, "avx512ifma")           \
  SET(__AVX512VBMI__, "avx512vbmi")           \
  SET(__AVX512VBMI2__, "avx512vbmi2")         \
  SET(__AVX512VNNI__, "avx512vnni")           \
  SET(__AVX512BITALG__, "avx512bitalg")       \
  SET(__AVX512VPOPCNTDQ__, "avx512vpopcntdq") \
  SET(__AVX512BF16__, "avx512bf16")           \
  SET(__GFNI__, "gfni")

namespace apsp::kernels::cpu {

/// A bit for each of APSP_X86_SETS that the vector code needs whatever it chooses when it runs.
/// None, unless it is compiled for one kind of processor (APSP_CPU=NATIVE).
extern const std::uint32_t kNeededSets;
/// A bit for each that this processor has.
std::uint32_t present_sets() noexcept;
/// Ends the process with this exit code and a message, if a set is needed and not present. Calls
/// nothing that may be compiled for a processor, so that it can run before all else.
void require_sets(std::uint32_t needed, std::uint32_t present, int exit_code) noexcept;

/// Instruction sets that this build has kernels for, best first, whether this machine runs them or
/// not.
std::vector<std::string> compiled_instruction_sets();

}  // namespace apsp::kernels::cpu
