// Which instruction sets are compiled: AVX-512, AVX2, SSE4 and a portable baseline (x86), or what
// the architecture has. The steps between them cost compile time and gain nothing here.
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3)
