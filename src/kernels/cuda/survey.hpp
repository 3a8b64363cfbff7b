#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

void launch_survey(cudaStream_t stream, const Survey& survey);
void launch_operand_survey(cudaStream_t stream, const OperandSurvey& survey);

}  // namespace apsp::kernels::cuda
