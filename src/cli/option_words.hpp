// The library's messages in the words of the command line: `device=cpu` becomes --device cpu.
#pragma once

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace apsp::cli {

/// The text with every option that it names between backquotes as a user of the command line writes
/// it. Other text between backquotes stays as it is.
std::string in_option_words(std::string_view text);

/// The same of all text of a plan.
PlanReport in_option_words(PlanReport plan);

/// Rewrites every array "remarks" in a JSON object and in the objects within.
void reword_remarks(nlohmann::json& object);

}  // namespace apsp::cli
