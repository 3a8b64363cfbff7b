// How long a distance can be, from ways of a few arcs: for dense graphs, where those of
// eccentricity_bound.hpp would cost as much as a good part of the solve.
//
// Ways of at most k arcs to and from a centre, k = 1, 2, …, one pass over all arcs for each k. In a
// dense graph a few arcs make ways that are short enough.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

namespace apsp {

inline constexpr int kMostHops = 6;

/// No distance (min-plus) of the graph is longer. Infinity where ways of `kMostHops` arcs do not
/// join all vertices, where weights are negative, and for a matrix by columns, whose rows are slow
/// to read. Ends once the bound is at most `enough`, or the lightest arc of a vertex exceeds that.
/// O(m) a pass, shared by `threads`; the result does not depend on them. 8 bytes a vertex and
/// thread. Throws `Error` (interrupted).
double hop_bound(const Graph& graph, double enough, int threads, const Control& control = {});

}  // namespace apsp
