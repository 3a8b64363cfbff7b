// The survey of a matrix (kernels/caller_matrices.hpp) in a textbook loop.
#pragma once

#include "kernels/caller_matrices.hpp"
#include "support/strict/strict_kernels.hpp"

namespace apsp::kernels::strict {

void survey(const Access& at, const Operations& operations, const Survey& survey);
void survey_operand(const Access& at, const Operations& operations, const OperandSurvey& survey);

}  // namespace apsp::kernels::strict
