// What one GPU is, by its number.
#pragma once

#include "kernels/cuda/cuda_device.hpp"

namespace apsp::kernels::cuda {

/// Throws `Error` (device): no such device.
DeviceFacts facts_of(int ordinal);

}  // namespace apsp::kernels::cuda
