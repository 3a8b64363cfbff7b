// The graph that is walked against its arcs.
#pragma once

#include <apsp/graph.hpp>

namespace apsp::graph {

/// Every arc u → v as v → u, of the same weight; vertices keep their numbers and lose their names.
/// O(n + m). Throws `Error` (usage) for a graph that is held as a matrix.
Graph reversed(const Graph& graph);

}  // namespace apsp::graph
