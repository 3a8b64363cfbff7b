// Breadth-first searches from a few sources, spread evenly over the vertices: what they find tells
// how long searches from all vertices take.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>

namespace apsp::planner {

/// The first so many vertices that a search finds are near its source.
inline constexpr std::int64_t kNear = 512;

struct SampledSearches {
  double levels = 0, vertices = 0, arcs = 0;  // of a search, on average
  double most_levels = 0;                     // of the search that had most
  /// Levels until `kNear` vertices were found, on average over the searches that find as many;
  /// `most_levels` where none does.
  double near_levels = 0;
};

/// O(n + m).
SampledSearches sample_searches(const Graph& graph);

}  // namespace apsp::planner
