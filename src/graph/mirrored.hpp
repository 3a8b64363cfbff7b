// Arcs that come in pairs, one each way and of equal weight: a directed graph of such arcs alone
// has a symmetric matrix, and half the work to solve (`Graph::symmetric`); a file that lists an
// undirected edge from both its ends has them too. Are the pairs whole, and what is the undirected
// graph? Both in one pass over the arcs.
#pragma once

#include <apsp/graph.hpp>

#include <optional>

namespace apsp {

/// An arc u → v, u ≠ v, whose mirror image v → u of the same weight is missing, counting parallel
/// arcs; nothing if the matrix is symmetric in every semiring. O(n + m), of a matrix O(n²), and it
/// ends at the first such arc by rising u. `threads`: 0 for all. Requires: `graph` is directed.
std::optional<Edge> find_unmirrored(const Graph& graph, int threads = 0);

}  // namespace apsp
