#include "kernels/cpu/processor.hpp"

#include "base/targets.hpp"

#include <hwy/targets.h>
#include <unistd.h>

#include <cstring>

namespace apsp::kernels::cpu {

namespace {

#define APSP_NAME(macro, name) name,
constexpr const char* kNames[] = {APSP_X86_SETS(APSP_NAME)};
#undef APSP_NAME

void say(const char* text) noexcept {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

}  // namespace

std::uint32_t present_sets() noexcept {
  std::uint32_t bits = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  std::uint32_t bit = 1;
#define APSP_PRESENT(macro, name)                \
  if (__builtin_cpu_supports(name)) bits |= bit; \
  bit <<= 1;
  APSP_X86_SETS(APSP_PRESENT)
#undef APSP_PRESENT
#endif
  return bits;
}

void require_sets(std::uint32_t needed, std::uint32_t present, int exit_code) noexcept {
  const std::uint32_t missing = needed & ~present;
  if (missing == 0) return;
  say("apsp: this build is for another kind of processor (APSP_CPU=NATIVE); this one lacks");
  for (std::uint32_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    if ((missing >> i & 1) == 0) continue;
    say(" ");
    say(kNames[i]);
  }
  say("\n  make build compiles for all processors\n");
  ::_exit(exit_code);
}

std::vector<std::string> compiled_instruction_sets() {
  std::vector<std::string> names;
  for (std::int64_t left = compiled_targets(); left != 0; left &= left - 1) {
    names.emplace_back(hwy::TargetName(left & -left));
  }
  return names;
}

}  // namespace apsp::kernels::cpu
