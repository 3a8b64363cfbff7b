// Hops from one source, by breadth-first search.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

namespace apsp::reference {

/// [n] least number of arcs from `source`, −1 where there is no path; weights play no part.
/// O(n + m). Throws `Error` (usage) for a source out of range.
std::vector<std::int64_t> bfs(const Graph& graph, Vertex source);

}  // namespace apsp::reference
