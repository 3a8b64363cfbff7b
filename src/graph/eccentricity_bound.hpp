// How long a distance can be, from the distances of a few vertices.
//
// A shortest path from u to v is no longer than a way by a centre c: d(u, v) ≤ d(u, c) + d(c, v).
// So where all vertices reach each other no distance exceeds the two largest distances to c and
// from it. Of an undirected component the tree of shortest paths from c says more: no distance is
// longer than the way along the tree, and the longest of those is found in one pass. A path through
// several strong components takes at most the bound of each and one arc from each to the next; the
// longest such sum over the condensation, which has no cycles, bounds them all.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

namespace apsp {

/// No finite distance (min-plus) of the graph is longer; of an undirected graph one is at least
/// half as long. Where a first centre of each component proves more than `enough`, a second one is
/// tried, the middle of a long path, unless a distance that was found exceeds `enough`. Infinity
/// where weights are negative or sums overflow. O((n + m) log n), up to five searches of each
/// component; of a directed graph 12 bytes an arc. Throws `Error` (interrupted).
double eccentricity_bound(const Graph& graph, double enough, const Control& control = {});

}  // namespace apsp
