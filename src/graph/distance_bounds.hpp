// How long a distance can be, from the distances of a few vertices.
//
// A shortest path from u to v is no longer than a way by a centre c: d(u, v) ≤ d(u, c) + d(c, v).
// So where all vertices reach each other no distance exceeds the two largest distances to c and
// from it. Of an undirected component the tree of shortest paths from c says more: no distance is
// longer than the way along the tree, and the longest of those is found in one pass. A path through
// several strong components takes at most the bound of each and one arc from each to the next; the
// longest such sum over the condensation, which has no cycles, bounds them all.
//
// Searches of a dense graph would cost as much as a good part of its solve. There the ways to and
// from the centre have at most k arcs, k = 1, 2, …: one pass over all arcs for each k.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>
#include "base/double_double.hpp"

namespace apsp {

/// No finite distance (min-plus) of the graph is longer; of an undirected graph one is at least
/// half as long. Each value of `enough` is worth proving: where a first centre of each component
/// does not prove one, a second centre is tried, the middle of a long path, unless a distance that
/// was found exceeds it. Infinity where weights are negative or sums overflow. O((n + m) log n), up
/// to five searches of each component; of a directed graph 12 bytes an arc. Throws `Error`
/// (interrupted).
double eccentricity_bound(const Graph& graph, std::span<const double> enough,
                          const Control& control = {});
inline double eccentricity_bound(const Graph& graph, double enough, const Control& control = {}) {
  return eccentricity_bound(graph, std::span(&enough, 1), control);
}

inline constexpr int kMostHops = 6;

/// No distance (min-plus) of the graph is longer. Infinity where ways of `kMostHops` arcs do not
/// join all vertices, where weights are negative, and for a matrix by columns, whose rows are slow
/// to read. Ends once the bound is at most `enough`, or the lightest arc of a vertex exceeds that.
/// O(m) a pass, shared by `threads`; the result does not depend on them. 8 bytes a vertex and
/// thread. Throws `Error` (interrupted).
double hop_bound(const Graph& graph, double enough, int threads, const Control& control = {});

// How many edges best paths have, as far as a few searches tell: what rounding each sum may add up
// to. An estimate from below, no bound.
//
// Sparse graphs are searched from vertices here and there, and again from the end of a long path:
// of a road, mesh or chain that finds most of its length. Dense ones, where a search of all
// vertices would cost as much as a good part of the solve, are searched for the nearest vertices of
// a few, and the edges grow with the number of vertices as they grew so far: as its logarithm among
// random weights, in proportion along a chain.

/// Which paths are best: the least sum of `sign` · w. Where some of these are negative and others
/// not, `potentials` [n] make none of them so (negative_cycle.hpp); else they may be empty.
struct BestPaths {
  double sign = 1;
  std::span<const base::DoubleDouble> potentials{};
};

/// The most edges of a best path that was found; more than `enough` are not looked for. All sums
/// negative: of any path, in a graph without cycles. The same whatever the number of threads. At
/// most four passes over sparse graphs; 40 bytes a vertex. Throws `Error` (interrupted).
std::int64_t path_edges(const Graph& graph, const BestPaths& paths, std::int64_t enough,
                        const Control& control = {});

}  // namespace apsp
