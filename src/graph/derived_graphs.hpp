// Graphs made from another one: with other weights, or with reversed arcs.
#pragma once

#include <apsp/graph.hpp>
#include <span>

namespace apsp::graph {

/// Every arc from → to of a change gets its weight, parallel ones alike; of an undirected graph
/// both ways. Of several changes of one arc the last counts. Throws `Error` (usage): an arc that
/// the graph has not, a weight that is not finite, a graph that is held as a matrix.
Graph changed_weights(const Graph& graph, std::span<const Edge> changes);

/// Every arc u → v as v → u, of the same weight; vertices keep their numbers and lose their names.
/// O(n + m). Throws `Error` (usage) for a graph that is held as a matrix.
Graph reversed(const Graph& graph);

}  // namespace apsp::graph
