// Orders of graphs of turn states (apsp/turns.hpp) from orders of the graph that has the turns.
//
// A graph of states has three to five times the vertices of the graph without turns, and METIS
// takes ten times as long. Separators carry over: if removing a vertex v separates two sides, so
// does removing the states of the arcs that enter v, or of those that leave it, or of those between
// v and all sides but one. The fewest are taken; the other states and v join the sides.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/turns.hpp>

#include "sparse/order.hpp"

namespace apsp::sparse {

/// The pattern of the graph that has the turns. `pattern`: of the graph of states.
Pattern pattern_of_places(const Pattern& pattern, const TurnStates& states);

/// Returns an order of a graph of states. `pattern`, `states`: of `graph`. Takes the order of
/// `pattern_of_places` and O(n + m) with a logarithm. Throws `Error` as `nested_dissection`.
Order turn_order(const Graph& graph, const Pattern& pattern, const TurnStates& states,
                 const OrderOptions& options = {});

/// Bytes that all processes take for it, both patterns included.
std::int64_t turn_ordering_bytes(const Pattern& pattern, const Pattern& places, int workers);

}  // namespace apsp::sparse
