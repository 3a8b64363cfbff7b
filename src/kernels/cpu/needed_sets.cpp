// Compiled as the vector code is, and has no code of its own.
#include "kernels/cpu/processor.hpp"

#include <iterator>

// A macro that is not defined is its own name as a text.
#define APSP_TEXT(macro) #macro
#define APSP_DEFINED(macro, name) APSP_TEXT(macro)[0] == '1',

namespace apsp::kernels::cpu {
namespace {

consteval std::uint32_t bits_of_defined() {
  constexpr bool kDefined[] = {APSP_X86_SETS(APSP_DEFINED)};
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < std::size(kDefined); ++i) bits |= (kDefined[i] ? 1U : 0U) << i;
  return bits;
}

}  // namespace

constinit const std::uint32_t kNeededSets = bits_of_defined();

}  // namespace apsp::kernels::cpu
