// Translates options in the library's messages: `device=cpu` becomes --device cpu.
#pragma once

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace apsp::cli {

/// Replaces every option between backquotes by its form on the command line. Other text between
/// backquotes is unchanged.
std::string in_option_words(std::string_view text);

PlanReport in_option_words(PlanReport plan);

/// Translates the arrays "remarks" of a JSON object and of nested objects.
void reword_remarks(nlohmann::json& object);

}  // namespace apsp::cli
