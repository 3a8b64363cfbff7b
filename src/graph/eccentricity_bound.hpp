// How long a distance can be, from the distances of a few vertices.
//
// A shortest path from u to v is no longer than a way by a centre c: d(u, v) ≤ d(u, c) + d(c, v).
// So in a component whose vertices all reach each other no distance exceeds the two largest
// distances to and from c, which is at most twice what is needed where graphs are undirected. A
// path through several strong components takes at most the bound of each and one arc from each to
// the next; the longest such sum over the condensation, which has no cycles, bounds them all.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

namespace apsp {

/// No finite distance (min-plus) of the graph is longer. Where a first centre proves more than
/// `enough`, a second one is taken, the middle of a long path. Infinity where weights are negative
/// and where a distance exceeds `enough`, once that is seen. O((n + m) log n), up to five searches
/// of each component; of a directed graph 12 bytes an arc. Throws `Error` (interrupted).
double eccentricity_bound(const Graph& graph, double enough, const Control& control = {});

}  // namespace apsp
