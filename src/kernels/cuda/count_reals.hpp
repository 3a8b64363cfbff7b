#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Whether sums of such distances, of 4 or 8 bytes, have at most 90 binary digits.
bool reals_fit(const DistanceCount& count, int bytes);
/// Counts rows [first, first + rows). Requires: `reals_fit`. For float and double.
template <class T>
void launch_count_reals(const LaunchSite& site, const DistanceCount& count, std::int64_t first,
                        std::int64_t rows);

}  // namespace apsp::kernels::cuda
