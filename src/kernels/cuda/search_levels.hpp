#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

/// `type`: of the hops, in min-plus.
void launch_search_levels(const LaunchSite& site, ValueType type, const SearchedLevels& levels);

}  // namespace apsp::kernels::cuda
