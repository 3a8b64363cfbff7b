// Counts of distances from 0 on (kernels/distance_count.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/distance_count.hpp"

namespace apsp::kernels::cuda {

using LaunchDistances = void (*)(const LaunchSite& site, const DistanceCount& count);

/// Null unless the semiring is min-plus and the type i32, f32 or f64.
LaunchDistances count_distances(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
