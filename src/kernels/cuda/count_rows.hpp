// Statistics of rows of whole distances, and rows transposed into the host's order, on the device.
#pragma once

#include "kernels/cuda/device_operations.hpp"
#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

/// As `ComputeDevice`; values are u16 or i32, of min-plus.
void launch_count_rows(const LaunchSite& site, const RowCount& count, int value_size);
void launch_transpose_rows(cudaStream_t stream, const TransposedRows& transposed, int value_size);

}  // namespace apsp::kernels::cuda
