// A graph in one line.
#pragma once

#include <string>

#include <apsp/graph.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

/// "undirected", "directed", or "symmetric": directed, and every arc has its like the other way.
std::string direction_text(const Graph& graph);
/// "USAir97.mtx: 332 vertices, 2,126 edges, undirected, real weights 0.0009 … 0.5326", and what its
/// reader remarked on.
std::string graph_line(const Graph& graph, const std::string& path, const Look& look);

/// "unit weights", "integer weights 1 … 100", "real weights 0.5 … 2".
std::string weights_text(const Graph& graph, const Look& look);

/// The vertex of that name. Throws `Error` (usage), with the nearest name there is.
Vertex find_vertex(const Graph& graph, const std::string& text);

/// A vertex's name, fit for a terminal.
std::string shown_name(const Graph& graph, Vertex v);

}  // namespace apsp::cli
