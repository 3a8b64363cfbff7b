// What a search by arcs finds, from a few sources that stand evenly: enough to tell how long
// searches from all of them take.
#pragma once

#include <apsp/graph.hpp>

namespace apsp::planner {

struct Found {
  double levels = 0, vertices = 0, arcs = 0;  // of one search
};

/// On average. O(n + m).
Found look_around(const Graph& graph);

}  // namespace apsp::planner
