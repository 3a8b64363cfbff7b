// Operations on gathered rows over min-max and max-min, apart for the reason in gathered_sums.hpp.
#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Sets the operations on gathered rows, the same for both semirings.
void set_listed_bottlenecks(ValueType type, DeviceOperations& operations);

}  // namespace apsp::kernels::cuda
