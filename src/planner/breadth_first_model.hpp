// How long breadth-first searches take, 512 sources at once: a pure function of what a few searches
// found and of a machine's figures.
//
// Every level looks across arcs. The first and the last ones see few vertices of one source, but
// the sources of a block do not begin at one place.
#pragma once

#include <cstdint>

#include "planner/look_around.hpp"
#include "planner/sparse_rates.hpp"

namespace apsp::planner {

inline constexpr std::int64_t kSourcesAtOnce = 512;

/// What a block of sources looks at.
struct BlockCounts {
  double levels = 1;  // 1: reachability, which goes over the arcs once
  double vertices = 0;
  double arcs = 0;
};

BlockCounts block_counts(const Found& found, double vertices, double arcs);

/// Seconds of one thread for a block.
double breadth_first_seconds(const BlockCounts& counts, const BreadthFirstRates& rates);

/// The rates by which a block takes `seconds`.
BreadthFirstRates scaled_to(double seconds, const BlockCounts& counts,
                            const BreadthFirstRates& rates);

}  // namespace apsp::planner
