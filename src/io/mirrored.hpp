// Formats in which an undirected edge stands twice, once from each end: are the two there, and what
// is the undirected graph? Both in one pass over the arcs.
#pragma once

#include <apsp/graph.hpp>

#include <optional>

namespace apsp::io {

/// An arc u → v, u ≠ v, whose mirror image v → u of the same weight is missing, counting parallel
/// arcs. Requires: `graph` is directed.
std::optional<Edge> find_unmirrored(const Graph& graph);

/// The edges, each once: the arcs u → v with u ≤ v.
/// Requires: `graph` is directed and find_unmirrored(graph) is empty.
std::vector<Edge> edges_of_mirrored(const Graph& graph);

}  // namespace apsp::io
