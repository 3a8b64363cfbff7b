// How long breadth-first searches take, 512 sources at once: a pure function of what a few searches
// found and of a machine's figures.
//
//   levels × (vertices × vertex + arcs × line) + values / rate
//
// A vertex is looked at on every level on which some source of the block reaches it first. The
// sources of a block lie near each other, so their distances to a vertex differ by the block's
// width at most: that bounds the levels of a vertex. On a grid the width is a small part of all
// levels; on a tangled graph every vertex is looked at on all of them.
#pragma once

#include <cstdint>

#include "planner/sampled_searches.hpp"
#include "planner/sparse_rates.hpp"

namespace apsp::planner {

inline constexpr std::int64_t kSourcesAtOnce = kNear;

/// What a block of sources looks at.
struct BlockCounts {
  double levels =
      1;  // on which a vertex is looked at; 1: reachability, which goes over the arcs once
  double vertices = 0;
  double arcs = 0;
};

BlockCounts block_counts(const SampledSearches& found, double vertices, double arcs);

/// Seconds of one thread for a block.
double breadth_first_seconds(const BlockCounts& counts, const BreadthFirstRates& rates);

/// The rates by which a block takes `seconds`.
BreadthFirstRates scaled_to(double seconds, const BlockCounts& counts,
                            const BreadthFirstRates& rates);

}  // namespace apsp::planner
