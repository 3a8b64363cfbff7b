// Counts of the distances to a set of rows (`RowsWithin` in kernels/distance_count.hpp).
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/distance_count.hpp"

namespace apsp::kernels::cuda {

/// Does nothing without a set. T: u16, i32, f32, f64, or u32 for rows of `ListedForm::whole`.
template <class T>
void launch_count_within(const LaunchSite& site, ConstView x, const std::uint32_t* row_labels,
                         const std::uint32_t* column_labels, const RowsWithin& within);

}  // namespace apsp::kernels::cuda
