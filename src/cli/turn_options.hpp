// Options of turn costs (apsp/turns.hpp), and vertices of graphs that have them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <apsp/turns.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/context.hpp"

namespace apsp::cli {

/// Declares --turns, --u-turns, --turn-angles and --turn-positions. `read_for` applies them.
void declare_turns(Arguments& arguments);
bool gave_turns(const Context& context);
/// Returns the graph with the turns of these options; the graph itself without them. Throws
/// `Error`: usage, input, input_output, does_not_fit, interrupted.
Graph with_given_turns(Context& context, const Graph& graph);

/// Throws `Error` (usage) for a graph of turn states. `what`: "betweenness". `instead`: another way
/// to an answer, or empty.
void require_no_turns(const Graph& graph, const std::string& what, const std::string& instead = "");

/// Where paths to these vertices end: they themselves, unless the graph has turn states. O(n + m)
/// if it has.
std::vector<Vertex> arrivals(const Graph& graph, std::vector<Vertex> vertices);
/// The same for the second vertex of each pair.
std::vector<VertexPair> arrivals(const Graph& graph, std::vector<VertexPair> pairs);
/// The path without the names of states.
std::vector<Vertex> places_of(const Graph& graph, const std::vector<Vertex>& path);

}  // namespace apsp::cli
