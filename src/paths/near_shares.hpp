// Betweenness and closeness by paths of at most some lengths: a bounded search from each source,
// and one count of its paths for all limits (path_counts.hpp).
#pragma once

#include <apsp/betweenness.hpp>
#include <span>

#include "paths/betweenness.hpp"

namespace apsp::paths {

/// Sums over ordered pairs of a source and a target. Undirected edges have both directions:
/// [limits, arcs] of `CountedArcs::out`.
struct NearShares {
  std::vector<double> of_vertices, of_arcs;  ///< [limits, n], [limits, arcs]
  std::vector<Edge> arcs;                    ///< without loops; the lightest of parallel arcs
  std::vector<double> reached, distances;    ///< [limits, sources]
};

/// `exact`: integer weights. Requires: weights above 0, limits ≥ 0. Throws `Error`: usage (too many
/// paths, a lost weight), interrupted.
NearShares near_shares(const Graph& graph, std::span<const Vertex> sources,
                       std::span<const double> limits, const BetweennessQuestion& question,
                       bool exact, int threads, const Control& control);
/// Bytes of the whole, at most.
double near_shares_bytes(const Graph& graph, std::size_t sources, std::size_t limits, bool arcs,
                         int threads);

}  // namespace apsp::paths
