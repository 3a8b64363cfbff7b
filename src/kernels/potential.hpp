// The arithmetic of potentials (base/potential.hpp), as kernels and what stands on them name it.
#pragma once

#include "base/potential.hpp"

namespace apsp::kernels {

using base::kLargestFinite;
using base::Potential;
using base::reduced;
using base::restored;

}  // namespace apsp::kernels
