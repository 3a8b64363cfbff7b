#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

DeviceOperations sums(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cuda
