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

/// Seconds of one thread, for all n sources.
double breadth_first_seconds(const Found& found, double vertices, double arcs,
                             const BreadthFirstRates& rates);
/// The same of reachability, which goes over the arcs once.
double reaching_seconds(double vertices, double arcs, const BreadthFirstRates& rates);

}  // namespace apsp::planner
