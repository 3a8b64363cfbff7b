// The graph that one process has read, and the tree that it has found, in all of them.
#pragma once

#include <apsp/graph.hpp>

#include <memory>

#include "elimination/tree.hpp"
#include "engine/processes.hpp"

namespace apsp::engine {

/// `graph`: process 0's; looked at nowhere else. Everywhere the same digest. Memory: the graph as
/// compressed rows, twice for a while.
Graph share_graph(Processes& processes, const Graph& graph);

/// `tree`: process 0's; looked at nowhere else. Two orders of one graph may both be good, but sums
/// that are rounded depend on them, and so do blocks that are distributed.
std::shared_ptr<const elimination::Tree> share_tree(
    Processes& processes, const std::shared_ptr<const elimination::Tree>& tree);

}  // namespace apsp::engine
