// Local efficiency of the vertices of an undirected graph.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <vector>

namespace apsp {

struct LocalEfficiencyOptions {
  bool weighted = false;    ///< by lengths; else every edge counts as 1
  int threads = 0;          ///< 0: all
  std::int64_t memory = 0;  ///< bytes; 0: what is free
  Control control{};
};

/// Returns [n] the local efficiency of every vertex of an undirected graph; their mean is the
/// graph's. Of a vertex with k neighbours, it is the mean of 1 / d over the k (k − 1) pairs of
/// neighbours, where d is their distance in the subgraph of the neighbours (Latora and Marchiori
/// 2001); 0 for k < 2. Weighted (Wang 2017, with 1 / length as weight): d adds up cube roots of
/// lengths, and 1 / d is divided by those of the edges to both neighbours. The same if all are 1.
/// A loop makes a vertex its own neighbour; of parallel edges the shortest counts. Takes the sum of
/// k times the number of edges between neighbours, with a logarithm if weighted. Throws `Error`:
/// usage (a directed graph; weighted: a length that is not positive), does_not_fit, interrupted.
std::vector<double> local_efficiency(const Graph& graph,
                                     const LocalEfficiencyOptions& options = {});

}  // namespace apsp
