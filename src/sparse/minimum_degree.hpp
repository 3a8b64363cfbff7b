// An order by minimum degree, for graphs without small separators: social networks, random graphs.
//
// Elimination ends when nearly all pairs of the remaining vertices are joined: the remainder is one
// dense matrix. Degrees are approximate, from the quotient graph (Amestoy, Davis, Duff 1996): an
// eliminated vertex represents the edges between its neighbours and absorbs adjacent eliminated
// vertices.
#pragma once

#include <span>
#include <vector>

#include "sparse/order.hpp"

namespace apsp::sparse {

/// Vertices of more than so many times the mean degree are hubs, which are not eliminated.
inline constexpr double kHub = 2, kHubLeast = 32;

/// Returns the share of all edge ends that belong to hubs; `degrees`: of all vertices.
double share_of_hubs(std::span<const std::int64_t> degrees);
double share_of_hubs(const Pattern& pattern);
/// Share of hubs from which on separators would consist of nearly all vertices other than hubs.
inline constexpr double kShareOfHubs = 0.25;

struct MinimumDegree {
  std::vector<Vertex> eliminated;
  std::vector<Vertex> rest;
};

/// Stops when every remaining vertex that is not a hub has a degree of at least `dense` times the
/// number of remaining vertices.
MinimumDegree minimum_degree(const Pattern& pattern, double dense);

}  // namespace apsp::sparse
