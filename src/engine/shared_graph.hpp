// The graph that one process has read, in all of them.
#pragma once

#include <apsp/graph.hpp>

#include "engine/processes.hpp"

namespace apsp::engine {

/// `graph`: process 0's; looked at nowhere else. Everywhere the same digest. Memory: the graph as
/// compressed rows, twice for a while.
Graph share_graph(Processes& processes, const Graph& graph);

}  // namespace apsp::engine
