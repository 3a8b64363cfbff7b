// The compiled instruction sets; must be included before Highway's headers: AVX-512, AVX2, SSE4 and
// a portable baseline (x86), or those of the architecture. Others cost compile time without gain;
// without SSE4, processors that lack AVX2 would use the baseline, up to 40 times slower. SVE's
// vectors have no size at compile time and cannot be array elements, as a register tile needs; Arm
// uses NEON.
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
