// Patterns of edges for generated graphs, without weights.
//
// Edges depend only on integer arithmetic and on IEEE operations that all machines round alike (no
// logarithm, no fused multiply-add: see CMakeLists.txt), so a seed gives the same graph everywhere.
// Undirected patterns list each edge once.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace apsp::patterns {

using Edges = std::vector<Edge>;

Edges path(std::int64_t n);
/// A closed path. Two vertices have one undirected edge, a single vertex has none.
Edges cycle(std::int64_t n, bool directed);
Edges star(std::int64_t n);
Edges complete(std::int64_t n, bool directed);
/// A grid of rows × columns = n vertices, row-major, 4 neighbours; directed: an arc each way.
Edges grid(std::int64_t n, bool directed);
/// The largest divisor of n that is at most √n (0 for n = 0).
std::int64_t grid_rows(std::int64_t n);

/// Each (ordered) pair with probability p, independently. O(n + edges).
Edges gnp(std::int64_t n, bool directed, double p, base::SplitMix64& random);

/// m arcs of R-MAT with the probabilities a, b, c, d of the quadrants, without noise (Chakrabarti,
/// Zhan, Faloutsos, SDM 2004; Xia 2021, §V). If n is not a power of two, the middle vertex of an
/// odd range belongs to the upper half. Loops and parallel arcs are kept.
Edges rmat(std::int64_t n, std::int64_t m, const double (&quadrants)[4], base::SplitMix64& random);

/// n uniform points of the unit square, joined up to distance `radius`; directed: an arc each way.
/// Vertices are numbered row by row of a lattice. O(n + edges) expected.
Edges geometric(std::int64_t n, bool directed, double radius, base::SplitMix64& random);
/// Roads: a connected, percolated grid with chains, dead ends and arterial roads, about 2.5
/// neighbours per vertex, numbered from the middle outwards. Directed: an arc each way. The weight
/// is the speed: 1, or 3 on arterial roads. O(n).
Edges roads(std::int64_t n, bool directed, const base::SplitMix64& random);
struct Place {
  float row, col;
};
std::vector<Place> road_places(std::int64_t n, const base::SplitMix64& random);
/// The radius that gives an inner vertex 6 neighbours on average.
double default_radius(std::int64_t n);

}  // namespace apsp::patterns
