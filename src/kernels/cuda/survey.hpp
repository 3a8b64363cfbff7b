// A look at a matrix on the device (kernels/survey.hpp).
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/survey.hpp"

namespace apsp::kernels::cuda {

void launch_survey(cudaStream_t stream, const Survey& survey);

}  // namespace apsp::kernels::cuda
