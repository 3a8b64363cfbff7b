// The look at a matrix (kernels/survey.hpp) in a textbook loop.
#pragma once

#include "kernels/device.hpp"
#include "support/strict/strict_memory.hpp"

namespace apsp::kernels::strict {

void survey(Memory& memory, const Accessor& who, int value_size, const Survey& survey);
void survey_operand(Memory& memory, const Accessor& who, int value_size,
                    const OperandSurvey& survey);

}  // namespace apsp::kernels::strict
