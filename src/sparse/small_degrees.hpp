// Vertices of degree 2 and less, eliminated before all others.
//
// Eliminating such a vertex joins at most two others, so it costs next to nothing at any time. The
// rest is smaller: of a road network the crossings, a tenth to a half of its vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse/order.hpp"

namespace apsp::sparse {

/// METIS orders the whole graph if fewer than one vertex in so many have small degrees.
inline constexpr std::int64_t kFewestEliminated = 8;

struct SmallDegrees {
  std::vector<Vertex> eliminated;
  std::vector<Vertex> rest;
  // the remainder with the edges that eliminations added, by index in `rest`
  Pattern core;
};

/// Eliminates vertices of degree 1 and less before those of degree 2, until all degrees are 3 or
/// more. A few adjacent vertices of a chain make one supernode; longer chains are halved
/// repeatedly, so that the tree is low. Each of the few rounds visits all edges. Requires: fewer
/// than 2^31 neighbours.
SmallDegrees eliminate_small_degrees(const Pattern& pattern);

}  // namespace apsp::sparse
