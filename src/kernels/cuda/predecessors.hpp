// Predecessors from rows of distances (kernels/searches.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

/// Requires: not or-and.
void launch_predecessors(const LaunchSite& site, Semiring semiring, ValueType type,
                         const SearchedPredecessors& rows);

}  // namespace apsp::kernels::cuda
