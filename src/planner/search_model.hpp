// How long Dijkstra from every source takes: a pure function of what a few searches found and of a
// machine's figures.
#pragma once

#include "planner/look_around.hpp"
#include "planner/sparse_rates.hpp"

namespace apsp::planner {

/// Seconds of one thread, for `sources` rows of `vertices` values each.
double searching_seconds(const Found& found, double sources, double vertices,
                         const SearchRates& rates);

}  // namespace apsp::planner
