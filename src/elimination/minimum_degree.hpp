// An order by small degrees, for graphs without small separators: social networks, random graphs.
//
// Vertices with few neighbours left are eliminated first, until what is left has nearly all
// edges: that is one dense matrix. Degrees are bounds of those that elimination has made, found in
// the quotient graph (Amestoy, Davis, Duff 1996): an eliminated vertex stands for the edges between
// its neighbours, and takes over those of the eliminated vertices next to it.
#pragma once

#include <span>
#include <vector>

#include "elimination/order.hpp"

namespace apsp::elimination {

/// Hubs stay to the end: vertices of more than so many times the mean degree.
inline constexpr double kHub = 2, kHubLeast = 32;

/// The share of all ends of edges that hubs have; `degrees`: of all vertices.
double share_of_hubs(std::span<const std::int64_t> degrees);
double share_of_hubs(const Pattern& pattern);
/// Where it is so large, separators are nearly all that is left between hubs.
inline constexpr double kShareOfHubs = 0.25;

struct MinimumDegree {
  std::vector<Vertex> eliminated;  // in this order
  std::vector<Vertex> rest;        // rising
};

/// Ends where every vertex that is left and no hub has a degree of at least `dense` times the
/// number of all that are left.
MinimumDegree minimum_degree(const Pattern& pattern, double dense);

}  // namespace apsp::elimination
