// The cost of an order of nested dissection, estimated from degrees.
#pragma once

#include <apsp/graph.hpp>

#include "sparse/tree_samples.hpp"

namespace apsp::planner {

struct OrderingEstimate {
  double seconds = 0;  ///< of the order and its elimination tree
  /// Vertices of the final dense supernode of a graph with hubs; else 0.
  double widest = 0;
};

/// Estimates METIS by `ordering_seconds` of the core without vertices of degree 2 and less (roads,
/// power grids: within 2 times). Graphs of hubs are ordered by minimum degree: 0.3 µs an arc of the
/// symmetric pattern with the tree; the higher the degrees, the more vertices are left (R-MAT,
/// 20,000 to 80,000 vertices, 6 to 26 edges a vertex: within 1.15 and 1.1). `threads`: processes
/// that dissect, if available. O(n + m).
OrderingEstimate estimate_ordering(const Graph& graph, int threads = 1);

OrderingEstimate estimate_ordering(const sparse::TreeSamples& samples, int threads);

/// Returns a cautious bound of the relaxations of all sweeps over such a factor, and of closing it:
/// half of those of the dense supernode, from each of so many sources.
double least_relaxations(const OrderingEstimate& guess, double sources);

}  // namespace apsp::planner
