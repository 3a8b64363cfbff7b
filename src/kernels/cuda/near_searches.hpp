// Searches that end at a distance (kernels/searches.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

void launch_near_searches(const LaunchSite& site, const NearSearches& searches);

}  // namespace apsp::kernels::cuda
