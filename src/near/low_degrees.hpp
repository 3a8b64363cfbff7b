// Eliminates the vertices of low degree from a graph, for searches that begin at few vertices.
//
// New arcs replace an eliminated vertex, so the other distances stay the same. Three quarters of a
// road network have at most three neighbours when eliminated.
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
  std::vector<Vertex> vertices;      // in order of elimination
  std::vector<std::uint32_t> first;  // [vertices + 1] offsets into `arcs`
  std::vector<WholeArc> arcs;        // to the neighbours at that time

  std::span<const WholeArc> arcs_of(std::size_t i) const {
    return {arcs.data() + first[i], arcs.data() + first[i + 1]};
  }
};

/// The remaining graph. Close vertices have close numbers.
struct CoreGraph {
  std::vector<Vertex> number;  // [n] core first, then eliminated ones, last first
  search::SearchArcs<std::uint32_t> arcs;
  EliminatedVertices eliminated;
};

/// Whether the graph is symmetric and integral, with path lengths and offsets below 2^31.
bool may_eliminate(const Graph& graph);

/// Eliminates vertices of up to three neighbours, except `kept`, as space allows. O(n + m).
/// Requires: may_eliminate(graph), weights ≥ 0. Throws `Error` (interrupted).
CoreGraph eliminate_low_degrees(const Graph& graph, std::span<const Vertex> kept,
                                const Control& control);

}  // namespace apsp::near
