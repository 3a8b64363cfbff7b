// The properties of a stored result: distances, graph, additional planes and metrics.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

/// Reads the metadata and the graph, no distances. Throws `Error`: input, input_output.
nlohmann::json result_facts(const std::string& path);
std::string result_text(const nlohmann::json& facts, const TerminalStyle& look);

}  // namespace apsp::cli
