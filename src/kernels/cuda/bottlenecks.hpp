#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

DeviceOperations bottlenecks(Semiring semiring, ValueType type);

}  // namespace apsp::kernels::cuda
