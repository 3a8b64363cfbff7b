// Breadth-first searches from many sources at once on the device.
#pragma once

#include <apsp/semiring.hpp>

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searched_levels.hpp"

namespace apsp::kernels::cuda {

using LaunchLevels = void (*)(const LaunchSite& site, const SearchedLevels& levels);
/// Null unless shortest paths are looked for.
LaunchLevels search_levels(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
