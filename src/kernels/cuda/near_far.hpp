// Rows of distances by near-far searches (kernels/searches.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

/// Requires: not or-and; without potentials, unless the semiring is `kReducible`.
void launch_near_far(const LaunchSite& site, Semiring semiring, ValueType type,
                     const SearchedRows& rows);

}  // namespace apsp::kernels::cuda
