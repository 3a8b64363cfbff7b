// A graph in one line and as a table of facts, and its vertices by name.
#pragma once

#include <apsp/graph.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

/// "undirected", "directed", or "symmetric": directed, with the reverse of every arc.
std::string direction_text(const Graph& graph);
/// "USAir97.mtx: 332 vertices, 2,126 edges, undirected, real weights 0.0009 … 0.5326", and the
/// remarks of its reader.
std::string graph_line(const Graph& graph, const std::string& path, const TerminalStyle& look);

/// "unit weights", "integer weights 1 … 100", "real weights 0.5 … 2".
std::string weights_text(const Graph& graph, const TerminalStyle& look);

/// Returns the vertex of that name. Throws `Error` (usage) that suggests the nearest name.
Vertex find_vertex(const Graph& graph, const std::string& text);

std::string shown_name(const Graph& graph, Vertex v);

nlohmann::json graph_facts(const Graph& graph, const std::string& path);
std::string graph_text(const Graph& graph, const nlohmann::json& facts, const TerminalStyle& look);

}  // namespace apsp::cli
