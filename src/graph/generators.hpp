// Which edges a generated graph has, before any weight is drawn.
//
// Everything that decides an edge is integer arithmetic, or IEEE operations that every machine
// rounds alike (no logarithm, no fused multiply-add: see CMakeLists.txt), so one seed gives one
// graph everywhere. Undirected patterns list each edge once.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace apsp::patterns {

using Edges = std::vector<Edge>;

/// 0 → 1 → … → n−1.
Edges path(std::int64_t n);
/// The path, closed; two vertices are one undirected edge, a single one has none.
Edges cycle(std::int64_t n, bool directed);
/// Vertex 0 to each other one.
Edges star(std::int64_t n);
/// Every pair; directed: every ordered pair.
Edges complete(std::int64_t n, bool directed);
/// rows × columns = n, row-major, 4 neighbours; directed: an arc each way.
Edges grid(std::int64_t n, bool directed);
/// The largest divisor of n that is at most √n (0 for n = 0).
std::int64_t grid_rows(std::int64_t n);

/// Each (ordered) pair with the probability p, independently. O(n + edges).
Edges gnp(std::int64_t n, bool directed, double p, base::SplitMix64& random);

/// m arcs, each placed by halving the vertices log2(n) times and choosing one of the four quadrants
/// with the probabilities a, b, c, d (Chakrabarti, Zhan, Faloutsos, SDM 2004; Xia 2021, §V),
/// without noise. n need not be a power of two: an odd range leaves the middle vertex to the upper
/// half. Loops and parallel arcs are kept as drawn, so there are exactly m arcs.
Edges rmat(std::int64_t n, std::int64_t m, const double (&quadrants)[4], base::SplitMix64& random);

/// n uniform points of the unit square, joined up to the distance `radius`; directed: an arc each
/// way. Vertices are numbered by the cells of a square lattice, row by row. O(n + edges) expected.
Edges geometric(std::int64_t n, bool directed, double radius, base::SplitMix64& random);
/// Roads: a percolated grid with chains, dead ends and arterial roads, connected, of some 2.5
/// neighbours a vertex; vertices are numbered from the middle outwards. Directed: an arc each way.
/// An edge's weight is its speed: 1, or 3 of an arterial road. O(n).
Edges roads(std::int64_t n, bool directed, const base::SplitMix64& random);
/// Where a vertex lies, in streets.
struct Place {
  float row, col;
};
/// [n] the places of the vertices of `roads`, for orders that need them.
std::vector<Place> road_places(std::int64_t n, const base::SplitMix64& random);
/// The radius that gives an inner vertex 6 neighbours on average.
double default_radius(std::int64_t n);

}  // namespace apsp::patterns
