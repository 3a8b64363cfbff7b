// How many edges best paths have, as far as a few searches tell: what rounding each sum may add up
// to. An estimate from below, no bound.
//
// Sparse graphs are searched from vertices here and there, and again from the end of a long path:
// of a road, mesh or chain that finds most of its length. Dense ones, where a search of all
// vertices would cost as much as a good part of the solve, are searched for the nearest vertices of
// a few, and the edges grow with the number of vertices as they grew so far: as its logarithm among
// random weights, in proportion along a chain.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

#include <cstdint>
#include <span>

#include "base/double_double.hpp"

namespace apsp {

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
