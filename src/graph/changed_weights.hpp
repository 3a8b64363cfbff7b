// The same graph with other weights on some arcs.
#pragma once

#include <apsp/graph.hpp>
#include <span>

namespace apsp::graph {

/// Every arc from → to of a change gets its weight, parallel ones alike; of an undirected graph
/// both ways. Of several changes of one arc the last counts. Throws `Error` (usage): an arc that
/// the graph has not, a weight that is not finite, a graph that is held as a matrix.
Graph changed_weights(const Graph& graph, std::span<const Edge> changes);

}  // namespace apsp::graph
