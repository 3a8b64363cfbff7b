#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

using LaunchLevels = void (*)(const LaunchSite& site, const SearchedLevels& levels);

/// Null unless the semiring is min-plus.
LaunchLevels search_levels(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
