// This file is compiled with the options of the vector code. `kNeededSets` is a constant, so that
// it can be read on a processor that cannot run that code.
#include "kernels/cpu/needed_sets.hpp"

#include "base/targets.hpp"

#include <hwy/detect_targets.h>

#include <iterator>

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

std::int64_t compiled_targets() { return HWY_TARGETS; }

}  // namespace apsp::kernels::cpu
