// How long searches from every source take: pure functions of what a few searches found and of a
// machine's figures.
//
//   Dijkstra        vertices × vertex + arcs × arc + values / rate
//   breadth-first   levels × (vertices × vertex + arcs × line) + values / rate, 512 sources at once
//
// Breadth-first searches look at a vertex on every level on which some source of the block reaches
// it first. The sources of a block lie near each other, so their distances to a vertex differ by
// the block's width at most: that bounds the levels of a vertex. On a grid the width is a small
// part of all levels; on a tangled graph every vertex is looked at on all of them.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>

#include "planner/rates.hpp"

namespace apsp::planner {

/// Graphs of fewer vertices are solved in no time by any algorithm.
inline constexpr std::int64_t kLeastVertices = 256;

/// Whether arcs are so few that rows may cost less than a matrix.
bool looks_sparse(std::int64_t vertices, std::int64_t arcs);

/// The first so many vertices that a search finds are near its source.
inline constexpr std::int64_t kNear = 512;

/// Findings of breadth-first searches from a few sources, spread evenly over the vertices.
struct SampledSearches {
  double levels = 0, vertices = 0, arcs = 0;  // of a search, on average
  double most_levels = 0;                     // of the search that had most
  /// Levels until `kNear` vertices were found, on average over the searches that find as many;
  /// `most_levels` where none does.
  double near_levels = 0;
  Vertex last = 0;  // that the last search found
};

/// The findings of one search. O(n + m).
SampledSearches sample_search(const Graph& graph, Vertex start);
/// The findings of four searches and more. O(n + m).
SampledSearches sample_searches(const Graph& graph);

/// Pairs a second that statistics take row by row, where `share` of them have a path.
double pairs_by_rows(double counted, double passed, double share);

/// Seconds of one thread for a row of `vertices` values.
double searching_seconds(const SampledSearches& found, double vertices, const SearchRates& rates);

/// Rates of a machine on which rows take so many times as long.
template <class Rates>
Rates slower(Rates rates, double times) {
  rates.vertex *= times;
  rates.arc *= times;
  rates.values /= times;
  return rates;
}

inline constexpr std::int64_t kSourcesAtOnce = kNear;

/// Vertices and arcs that a block of sources looks at.
struct BlockCounts {
  /// On which a vertex is looked at; 1: reachability, which looks across every arc once.
  double levels = 1;
  double vertices = 0;
  double arcs = 0;
};

BlockCounts block_counts(const SampledSearches& found, double vertices, double arcs);

/// Seconds of one thread for a block.
double breadth_first_seconds(const BlockCounts& counts, const BreadthFirstRates& rates);

}  // namespace apsp::planner
