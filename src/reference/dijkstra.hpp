// Shortest paths from one source, by Dijkstra's algorithm with a binary heap.
#pragma once

#include <apsp/graph.hpp>
#include <vector>

namespace apsp::reference {

/// [n] distances from `source`, +infinity where there is no path. O((n + m) log m). Throws `Error`
/// (usage) for a source out of range or a graph with negative weights.
std::vector<double> dijkstra(const Graph& graph, Vertex source);

}  // namespace apsp::reference
