// Predecessors from rows of distances (kernels/predecessors.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/predecessors.hpp"

namespace apsp::kernels::cuda {

using LaunchPredecessors = void (*)(const LaunchSite& site, const SearchedPredecessors& rows);

/// Null for or-and.
LaunchPredecessors predecessors(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
