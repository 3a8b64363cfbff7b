// Operations on gathered rows over min-plus and max-plus.
//
// Apart from the operations on tiles, because the driver loads a source's kernels as one module: a
// dense solve would wait some 20 ms for these (one H200, 2026-11-29).
#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Sets the operations on gathered rows. Requires: min-plus or max-plus. Distances of max-plus, and
/// of i32 that may be negative, are below 2^28 in magnitude.
void set_listed_sums(Semiring semiring, ValueType type, Sign sign, DeviceOperations& operations);
/// Sets gathered rows of `ListedForm::whole`. Requires: operations of min-plus in f64.
void set_whole_rows(DeviceOperations& operations);
/// Sets gathered rows of `ListedForm::reduced`. Requires: operations of min-plus in i32.
void set_reduced_rows(DeviceOperations& operations);
void launch_reduce_weights(const LaunchSite& site, const ReducedWeights& weights);

}  // namespace apsp::kernels::cuda
