// Counts of short integer distances (`RowCount` in kernels/distance_count.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/distance_count.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

/// `value_size`: bytes of u16 or i32 values of min-plus; ignored if the rows are whole.
void launch_count_rows(const LaunchSite& site, const RowCount& count, int value_size,
                       ListedForm form);

}  // namespace apsp::kernels::cuda
