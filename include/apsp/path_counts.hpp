// Numbers of shortest paths, and all predecessors on them, over weights ≥ 0.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <vector>

namespace apsp {

struct PathCountOptions {
  std::vector<Vertex> sources{}, targets{};  ///< distinct; empty: all
  int threads = 0;                           ///< 0: all
  std::int64_t memory = 0;                   ///< bytes; 0: what is free
  Control control{};
};

/// Returns [sources, targets] the number of shortest paths of every pair: 1 from a vertex to
/// itself, 0 without a path. Paths are sequences of vertices: parallel arcs count as one, loops are
/// on no path. Lengths are compared as `betweenness` compares them. O(n + m) and a row of distances
/// for each source. Throws `Error`: usage (infinitely many walks, because a cycle of length 0
/// is on the way; a number beyond 64 bits; a weight below 0), does_not_fit, interrupted.
std::vector<std::uint64_t> path_counts(const Graph& graph, const PathCountOptions& options = {});

/// The predecessors of v on shortest paths from a source: the vertices [first[v], first[v + 1]),
/// ascending. The source and vertices without a path have none.
struct AllPredecessors {
  std::vector<std::int64_t> first;  ///< [n + 1]
  std::vector<Vertex> vertices;
};

/// Returns for each of `options.sources` every u with d(source, u) + w(u, v) = d(source, v), for
/// all v other than the source. `options.targets` has no effect. Predecessors may form cycles of
/// length 0. Throws `Error`: usage (a weight below 0), does_not_fit, interrupted.
std::vector<AllPredecessors> all_predecessors(const Graph& graph, const PathCountOptions& options);

}  // namespace apsp
