// Counts of integer distances of any length (kernels/distance_count.hpp).
#pragma once

#include "kernels/cuda/count_distances.hpp"

namespace apsp::kernels::cuda {

/// Rows of i32.
LaunchDistances count_whole_distances();
/// Gathered rows of f64 that are stored as integers (`ListedForm::whole`).
LaunchDistances count_whole_rows();

}  // namespace apsp::kernels::cuda
