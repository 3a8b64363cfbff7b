// Dependencies of shortest paths (kernels/path_shares.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/path_shares.hpp"

namespace apsp::kernels::cuda {

using LaunchGather = void (*)(cudaStream_t stream, const GatheredDistances& gathered);

/// Null unless the semiring is min-plus.
LaunchGather gather_distances(Semiring semiring, ValueType type);
void launch_path_shares(const LaunchSite& site, const PathShares& shares);

}  // namespace apsp::kernels::cuda
