// Rows of distances by searches on the device.
#pragma once

#include <apsp/semiring.hpp>

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searched_rows.hpp"

namespace apsp::kernels::cuda {

using LaunchSearch = void (*)(const LaunchSite& site, const SearchedRows& rows);
/// Null where values are bits.
LaunchSearch near_far(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
