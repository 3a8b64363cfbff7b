// The cost of an order of nested dissection, estimated before it is paid for.
#pragma once

#include <apsp/graph.hpp>

#include "elimination/tree_samples.hpp"

namespace apsp::planner {

/// An estimate from degrees.
struct OrderingEstimate {
  double seconds = 0;  ///< until order and elimination tree are there
  /// Vertices that are one dense supernode in the end, where hubs have much of the graph; else 0.
  double widest = 0;
};

/// Where METIS orders: `ordering_seconds` of what the elimination of vertices of degree 2 and less
/// leaves, which is all that it sees (roads, power grids: within 2 times of the clock).
/// Graphs of hubs are ordered by minimum degree: 0.3 µs an arc of the symmetric pattern with the
/// tree, and the more neighbours a vertex has, the more vertices are left (R-MAT, 20,000 to 80,000
/// vertices, 6 to 26 edges a vertex: within 1.15 and 1.1). `threads`: dissect, as many processes as
/// are to be had. O(n + m).
OrderingEstimate estimate_ordering(const Graph& graph, int threads = 1);

/// The same from regions of the graph.
OrderingEstimate estimate_ordering(const elimination::TreeSamples& samples, int threads);

/// The fewest relaxations of all sweeps over such a factor, and of closing it: those of the dense
/// supernode, from each of so many sources, and half as many as are said, as it is a guess.
double least_relaxations(const OrderingEstimate& guess, double sources);

}  // namespace apsp::planner
