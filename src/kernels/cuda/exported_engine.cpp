#include "kernels/cuda/exported_engine.hpp"

#include "kernels/cuda/engine_interface.hpp"

namespace cuda = apsp::kernels::cuda;

extern "C" __attribute__((visibility("default")))
const cuda::Engine apsp_cuda_engine = {cuda::kEngineVersion, cuda::kEngineInterface,
                                       cuda::back_end,       cuda::devices,
                                       cuda::memory_free,    cuda::start,
                                       cuda::why_no_device,  cuda::make_device,
                                       cuda::sizes,          cuda::multiply_add_compiled};
