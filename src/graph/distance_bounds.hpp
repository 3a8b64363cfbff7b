// Upper bounds of distances from the distances of a few vertices.
//
// d(u, v) ≤ d(u, c) + d(c, v) for a centre c. If all vertices reach each other, no distance exceeds
// the sum of the largest distances to and from c. Distances in an undirected component do not
// exceed the longest path in the shortest-path tree of c, which takes one pass. A path through
// several strong components takes at most the bound of each and one arc from each to the next; the
// maximum over the acyclic condensation bounds all of them.
//
// Searches of dense graphs would cost much of a solve, so paths to and from the centre are limited
// to k arcs there, k = 1, 2, …; each k takes one pass over the arcs.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <span>
#include "base/double_double.hpp"

namespace apsp {

/// An upper bound of all finite distances (min-plus); for undirected graphs at most twice the
/// largest one. If the first centre of a component does not prove a value of `enough`, a second
/// centre, in the middle of a long path, is tried, unless a known distance exceeds the value.
/// Infinity if weights are negative or sums overflow. O((n + m) log n), up to five searches per
/// component; 12 bytes per arc of a directed graph. Throws `Error` (interrupted).
double eccentricity_bound(const Graph& graph, std::span<const double> enough,
                          const Control& control = {});
inline double eccentricity_bound(const Graph& graph, double enough, const Control& control = {}) {
  return eccentricity_bound(graph, std::span(&enough, 1), control);
}

inline constexpr int kMostHops = 6;

/// An upper bound of all distances (min-plus). Infinity if some vertices are more than `kMostHops`
/// arcs from or to the centre, if weights are negative, and for column-major matrices, whose rows
/// are slow to read. Stops when the bound is at most `enough`, or the lightest arc of a vertex
/// exceeds that. O(m) per pass, shared by `threads`; the result does not depend on them. 8 bytes
/// per vertex and thread. Throws `Error` (interrupted).
double hop_bound(const Graph& graph, double enough, int threads, const Control& control = {});

// An estimate, from below, of the number of edges on best paths, which determines rounding errors.
//
// Sparse graphs are searched from scattered vertices and again from the end of a long path. In
// dense graphs a few vertices are searched for their nearest vertices only, and the number of edges
// is extrapolated as it grew so far: with the logarithm of the vertices for random weights,
// proportionally for chains.

/// The best paths have the least sum of `sign` · w. If some of these weights are negative and
/// others not, `potentials` [n] make them non-negative (negative_cycle.hpp); else they may be
/// empty.
struct BestPaths {
  double sign = 1;
  std::span<const base::DoubleDouble> potentials{};
};

/// The most edges of a best path that was found, searched up to `enough`. If all sums are negative:
/// of any path, in an acyclic graph. Independent of the number of threads. At most four passes over
/// sparse graphs; 40 bytes per vertex. Throws `Error` (interrupted).
std::int64_t path_edges(const Graph& graph, const BestPaths& paths, std::int64_t enough,
                        const Control& control = {});

}  // namespace apsp
