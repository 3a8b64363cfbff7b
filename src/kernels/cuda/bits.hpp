#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Values are words of 32 vertices.
DeviceOperations or_and_bits();

}  // namespace apsp::kernels::cuda
