// Which instruction sets the bit-parallel loops are compiled for: AVX-512, AVX2 and a portable
// baseline (x86), or what the architecture has.
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3_DL | HWY_SSE4 | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
