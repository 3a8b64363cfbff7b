// Cooperative groups, for kernels whose blocks all wait for each other. With traits of their own
// they leave CUDA's C++ library out, which takes a third of the time of a small file.
#pragma once

#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>
