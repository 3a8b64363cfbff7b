#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

DeviceOperations bottlenecks(Semiring semiring, ValueType type);
/// Sets the operations on gathered rows, the same for both semirings.
void set_listed_bottlenecks(ValueType type, DeviceOperations& operations);

}  // namespace apsp::kernels::cuda
