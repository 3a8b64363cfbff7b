// What Dijkstra's algorithm can be asked for.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <optional>

#include "graph/negative_cycle.hpp"

namespace apsp::search {

/// Throws `Error` as `dijkstra_rows` says.
void check_dijkstra(const Graph& graph, Semiring semiring, ValueType type,
                    const Potentials* potentials, std::optional<double> distance_bound);

}  // namespace apsp::search
