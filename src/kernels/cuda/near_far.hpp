// Rows of distances by near-far searches (kernels/searches.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

using LaunchSearch = void (*)(const LaunchSite& site, const SearchedRows& rows);

/// Null for or-and.
LaunchSearch near_far(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
