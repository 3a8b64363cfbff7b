// The instruction sets for which the vector code is compiled.
#pragma once

#include <cstdint>

/// Instruction sets of x86 that a compiler may use of its own accord: the compiler's macro, and the
/// name that `__builtin_cpu_supports` takes.
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

/// One bit for each of APSP_X86_SETS that all vector code needs. Zero unless the code is compiled
/// for one kind of processor (APSP_CPU=NATIVE).
extern const std::uint32_t kNeededSets;
/// Returns the targets of Highway for which kernels are compiled, as bits (HWY_TARGETS). With
/// APSP_CPU=NATIVE these are fewer than HWY_TARGETS of other source files.
std::int64_t compiled_targets();

}  // namespace apsp::kernels::cpu
