// Vertices of degree 2 and less, eliminated before any other.
//
// Eliminating such a vertex joins at most two others, so it costs next to nothing whenever it
// comes, and what is left is smaller: of a road network the crossings, which are a tenth to a half
// of its vertices. Only they need an order that somebody thinks about.
#pragma once

#include <cstdint>
#include <vector>

#include "elimination/order.hpp"

namespace apsp::elimination {

/// METIS sees all of a graph of which fewer than one in so many vertices have small degrees.
inline constexpr std::int64_t kFewestEliminated = 8;

struct SmallDegrees {
  std::vector<Vertex> eliminated;  // in this order
  std::vector<Vertex> rest;        // rising
  Pattern core;                    // of the rest, with the edges that eliminations added: by place
};

/// Vertices of degree 1 and less come before those of degree 2, and what is left has degree 3 or
/// more. A few vertices of a chain follow each other, so that they make one supernode; longer
/// chains are halved again and again, so that their tree is low. Linear in time for the graphs it
/// is meant for: one look at all edges a round, and rounds are few. Requires: fewer than 2^31
/// neighbours.
SmallDegrees eliminate_small_degrees(const Pattern& pattern);

}  // namespace apsp::elimination
