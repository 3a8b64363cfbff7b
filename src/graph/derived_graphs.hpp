// Graphs derived from others (for new weights see apsp/graph.hpp), and differences of graphs.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <span>
#include <vector>

#include "base/double_double.hpp"

namespace apsp::graph {

/// The graph with the vertex numbers of `like`. Vertices correspond by name if both graphs have
/// names. Throws `Error` (usage) if the vertices differ.
Graph numbered_as(const Graph& graph, const Graph& like);

/// `before` with the additional vertices of `graph`, isolated, after its own. Vertices correspond
/// by name if both graphs have names, else by number.
Graph with_vertices_of(const Graph& before, const Graph& graph);

/// The arcs whose weights differ or that only one graph has; parallel arcs once. O(n + m).
/// Requires: equal numbers of vertices.
std::vector<VertexPair> differing_arcs(const Graph& one, const Graph& other);

/// The graph with the weights sign·w + h(u) − h(v) ≥ 0 (base/double_double.hpp). Keeps vertex
/// numbers but not names. O(n + m). Requires: no matrix; h: [n] potentials of the weights sign·w.
Graph with_reduced_weights(const Graph& graph, std::span<const base::Potential> h, double sign);

/// The graph with every arc reversed. Keeps vertex numbers but not names; of a matrix, makes rows.
/// O(n + m).
Graph reversed(const Graph& graph);
GraphBuilder reversed_arcs(const Graph& graph);

/// The edges among vertices that increase; vertex i is vertices[i], without names. `number`: [n]
/// any values, for the numbers of the vertices. O(size and arcs of the vertices).
GraphBuilder subgraph(const Graph& graph, std::span<const Vertex> vertices,
                      std::vector<Vertex>& number);

}  // namespace apsp::graph
