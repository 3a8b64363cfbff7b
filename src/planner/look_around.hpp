// What a search by arcs finds, from a few sources that stand evenly: enough to tell how long
// searches from all of them take.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>

namespace apsp::planner {

/// So many vertices lie near a source.
inline constexpr std::int64_t kNear = 512;

struct Found {
  double levels = 0, vertices = 0, arcs = 0;  // of one search
  double most_levels = 0;                     // of the longest one
  double near_levels =
      0;  // until `kNear` vertices were found, of those that find so many; else all
};

/// On average, but for the most levels. O(n + m).
Found look_around(const Graph& graph);

}  // namespace apsp::planner
