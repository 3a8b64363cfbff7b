// The queues of a GPU as other libraries of CUDA take them.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

/// Number of the GPU. Throws, as the next one, `Error` (device) where the device is none.
int ordinal_of(ComputeDevice& device);
cudaStream_t native_queue(ComputeDevice& device, QueueId queue);

}  // namespace apsp::kernels::cuda
