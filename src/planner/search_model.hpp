// How long Dijkstra from every source takes: a pure function of what a few searches found and of a
// machine's figures.
#pragma once

#include "planner/sampled_searches.hpp"
#include "planner/sparse_rates.hpp"

namespace apsp::planner {

/// Seconds of one thread for a row of `vertices` values.
double searching_seconds(const SampledSearches& found, double vertices, const SearchRates& rates);

/// The rates by which a row takes `seconds`.
SearchRates scaled_to(double seconds, const SampledSearches& found, double vertices,
                      const SearchRates& rates);

}  // namespace apsp::planner
