// Seconds of searches from every source: pure functions of the findings of a few searches and of a
// machine's rates.
//
//   Dijkstra        vertices × vertex + arcs × arc + values / rate
//   breadth-first   levels × (vertices × vertex + arcs × line) + values / rate, 512 sources at once
//
// Breadth-first searches visit a vertex on every level on which some source of the block reaches it
// first. Sources of a block are close, so their distances to a vertex differ by the block's width
// at most, which bounds these levels. On a grid the width is a small part of all levels; on a
// tangled graph it is all of them.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>

#include "planner/rates.hpp"

namespace apsp::planner {

/// Smaller graphs are solved in no time by any algorithm.
inline constexpr std::int64_t kLeastVertices = 256;

/// Whether there are so few arcs that rows may cost less than a matrix.
bool looks_sparse(std::int64_t vertices, std::int64_t arcs);

/// Sources of a block of breadth-first searches.
inline constexpr std::int64_t kSourcesAtOnce = 512;

/// Findings of breadth-first searches from a few sources, evenly spread over the vertices.
struct SampledSearches {
  double levels = 0, vertices = 0, arcs = 0;  // of a search, on average
  double most_levels = 0;                     // maximum over the searches
  /// Levels until `kSourcesAtOnce` vertices are reached, averaged over the searches that reach as
  /// many; `most_levels` if none does.
  double block_levels = 0;
  Vertex last = 0;  // last vertex of the last search
};

SampledSearches sample_search(const Graph& graph, Vertex start);
/// The findings of four searches and more. O(n + m).
SampledSearches sample_searches(const Graph& graph);

/// Pairs a second in statistics by row, if `share` of them have a path.
double pairs_by_rows(double counted, double unreached, double share);

/// Seconds of one thread for a row of `vertices` values.
double search_seconds(const SampledSearches& found, double vertices, const SearchRates& rates);

/// Rates of a machine that is so many times slower.
template <class Rates>
Rates slower(Rates rates, double times) {
  rates.vertex *= times;
  rates.arc *= times;
  rates.values /= times;
  return rates;
}

struct BlockCounts {
  /// Levels on which a vertex is visited; 1: reachability, which scans every arc once.
  double levels = 1;
  double vertices = 0;
  double arcs = 0;
};

BlockCounts block_counts(const SampledSearches& found, double vertices, double arcs);

/// Seconds of one thread for a block.
double breadth_first_seconds(const BlockCounts& counts, const BreadthFirstRates& rates);

}  // namespace apsp::planner
