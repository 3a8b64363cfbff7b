// Betweenness of vertices and arcs over weights > 0.
//
// Takes the time of a row of distances for each source, and the memory of a few rows.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apsp {

/// Scaling of sums over pairs of a source and a target. N: number of vertices that a path may pass
/// through, n with endpoints, else n − 1. K: number of sources.
enum class PairScale {
  /// All sources: the sum, halved for an undirected graph so that each pair counts once. Some
  /// sources: an estimate, the sum times N / K; without endpoints, a source is never between its
  /// own pairs, and its sum is taken times N / (K − 1).
  pairs,
  /// The fraction of pairs: the sum divided by N (N − 1), or by K (N − 1) for some sources; without
  /// endpoints, by (K − 1)(N − 1) for a source.
  normalized,
  sums,  ///< over ordered pairs of a source and a target
};

struct BetweennessOptions {
  /// Sources of the paths, distinct; empty: all vertices.
  std::vector<Vertex> sources{};
  PairScale scale = PairScale::pairs;
  bool endpoints = false;  ///< a path also counts for its first and last vertex
  bool arcs = false;       ///< also compute the betweenness of arcs
  /// Real weights use johnson, whose sums are rounded along paths from the source.
  Algorithm algorithm = Algorithm::automatic;
  /// A GPU computes distances and counts paths; rows of Floyd-Warshall are counted by the host.
  /// automatic: a GPU if it is faster.
  Device device = Device::automatic;
  std::vector<int> device_ordinals{};  ///< as in `SolveOptions`
  int threads = 0;                     ///< 0: all
  std::int64_t memory = 0;             ///< bytes of the host; 0: what is free
  Control control{};
};

struct Betweenness {
  std::vector<double> vertices;  ///< [n]
  /// The lightest of parallel arcs, no loops, by ascending ends. An undirected edge is listed once,
  /// from its smaller vertex, with the paths of both directions. Empty unless requested.
  std::vector<Edge> arcs;
  std::vector<double> of_arcs;  ///< [arcs]
  std::int64_t sources = 0;
  std::int64_t rows = 0;  ///< rows of distances that were computed; pendant trees need none
  std::string plan;       ///< one line: how they were computed
  Algorithm algorithm = Algorithm::automatic;  ///< of the rows; automatic: there were none
  std::vector<int> device_ordinals{};          ///< GPUs that computed rows; empty: the CPU did
  bool counted_on_device = false;              ///< GPUs counted paths, too
};

/// Returns betweenness (Freeman 1977; Anthonisse 1971) by the algorithm of Brandes 2001: the
/// fraction of the shortest paths of a pair that pass through a vertex or arc, summed over pairs.
/// Parallel arcs count as one arc of the least weight; loops are on no path. Lengths are compared
/// exactly for integers; for real weights as f64 rounds sums along each path from its source. Some
/// sources are scaled as in NetworkX. Sums do not depend on the number of threads, nor on the
/// device if vertices have few arcs on average; they keep at least 50 binary digits below the
/// greatest possible sum. Takes O(m + n) and a row of distances for each source. Throws `Error`:
/// usage (a weight that is not positive, more than 10^308 paths of a pair, real weights that f64
/// loses in sums, an algorithm that rounds otherwise), does_not_fit, device, interrupted.
Betweenness betweenness(const Graph& graph, const BetweennessOptions& options = {});

struct NearCentrality {
  std::vector<double> betweenness;  ///< [limits, n]
  std::vector<Edge> arcs;           ///< as `Betweenness::arcs`
  std::vector<double> of_arcs;      ///< [limits, arcs] betweenness
  std::vector<double> reached;    ///< [limits, sources] vertices within the limit, less the source
  std::vector<double> distances;  ///< [limits, sources] sum of the distances to them
  std::int64_t sources = 0;
};

/// Returns betweenness and closeness by the paths of at most each limit (Borgatti and Everett 2006:
/// bounded-distance betweenness). The closeness of a source is reached / distances. A search ends
/// at the greatest limit, so time depends on what is near. Options, scales and errors are those of
/// `betweenness`; algorithm and device have no effect. Throws also `Error` (usage) for a limit
/// below 0, or no limit.
NearCentrality near_centrality(const Graph& graph, std::span<const double> limits,
                               const BetweennessOptions& options = {});

}  // namespace apsp
