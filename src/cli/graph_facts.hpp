// A graph's vital figures: size, direction, weights, degrees, components.
#pragma once

#include <apsp/graph.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/look.hpp"

namespace apsp::cli {

/// O(n + m).
nlohmann::json graph_facts(const Graph& graph, const std::string& path);
/// The same as a table.
std::string graph_text(const Graph& graph, const nlohmann::json& facts, const Look& look);

}  // namespace apsp::cli
