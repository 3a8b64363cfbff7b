// Cooperative groups, for kernels whose blocks wait for each other. Own traits replace those of
// CUDA's C++ library, which takes a third of the compile time of a small file.
#pragma once

#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>
