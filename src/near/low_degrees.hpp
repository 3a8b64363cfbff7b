// A graph without its vertices of low degree, for searches that begin at few vertices.
//
// Eliminating a vertex joins its neighbours by arcs as long as the ways through it, so distances
// among the others stay what they were. Three quarters of a road network have at most three
// neighbours when their turn comes. A search need not look at them: what they are near to follows
// from what those neighbours are near to.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "search/dijkstra_search.hpp"

namespace apsp::near {

using WholeArc = search::KeyedArc<std::uint32_t>;

struct EliminatedVertices {
  std::vector<Vertex> vertices;      // in this order
  std::vector<std::uint32_t> first;  // [vertices + 1] arcs of all vertices before each
  std::vector<WholeArc> arcs;        // to the neighbours that each had then

  std::span<const WholeArc> arcs_of(std::size_t i) const {
    return {arcs.data() + first[i], arcs.data() + first[i + 1]};
  }
};

/// What is left of a graph, its vertices numbered so that those near each other have near numbers.
struct CoreGraph {
  std::vector<Vertex> number;  // [n] of the core's vertices, and of the others n − 1 − turn
  search::SearchArcs<std::uint32_t> arcs;  // among numbers
  EliminatedVertices eliminated;
};

/// Whether `eliminate_low_degrees` takes the graph: a symmetric one whose weights are whole, so
/// that sums are exact, and whose longest paths and rows stay below 2^31.
bool may_eliminate(const Graph& graph);

/// Eliminates vertices that have at most three neighbours, while there are any, except `kept`.
/// Those whose neighbours have many others already may stay. O(n + m). Requires:
/// may_eliminate(graph), weights ≥ 0. Throws `Error` (interrupted).
CoreGraph eliminate_low_degrees(const Graph& graph, std::span<const Vertex> kept,
                                const Control& control);

}  // namespace apsp::near
