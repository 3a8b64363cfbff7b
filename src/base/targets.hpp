// Which instruction sets are compiled: AVX-512, AVX2, SSE4 and a portable baseline (x86), or what
// the architecture has. The steps between them cost compile time and gain nothing here; without
// SSE4, processors that lack AVX2 would take the baseline, which is up to 40 times slower. SVE's
// vectors have no size at compile time and cannot be kept in arrays, as a register tile is: Arm
// runs NEON.
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
