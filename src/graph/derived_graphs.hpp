// Graphs made from another one (with other weights: apsp/graph.hpp), and what two of them differ
// in.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <vector>

namespace apsp::graph {

/// The arcs of a graph of the same vertices by their numbers in `like`: where both graphs name
/// their vertices, by names. Throws `Error` (usage): other vertices.
Graph numbered_as(const Graph& graph, const Graph& like);

/// `before` with the vertices of `graph` that it lacks, without arcs, behind its own: by names
/// where both name their vertices, else by numbers.
Graph with_vertices_of(const Graph& before, const Graph& graph);

/// The arcs whose weights differ, and those that only one of the graphs has; parallel arcs once.
/// O(n + m). Requires: graphs of as many vertices.
std::vector<VertexPair> differing_arcs(const Graph& one, const Graph& other);

/// Every arc u → v as v → u, of the same weight; vertices keep their numbers and lose their names.
/// O(n + m). Throws `Error` (usage) for a graph that is held as a matrix.
Graph reversed(const Graph& graph);

}  // namespace apsp::graph
