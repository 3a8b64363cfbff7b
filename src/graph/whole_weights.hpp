// Integer weights, and how far their sums are exact in double precision.
#pragma once

#include <apsp/graph.hpp>

namespace apsp::graph {

/// Every integer up to this magnitude is a double, and no other integer is rounded to it. So is a
/// sum of such integers that stays within it, and a larger sum is rounded to more than it.
inline constexpr double kMostExact = 0x1p53 - 1;

/// Whether every weight is an integer below 2^64, as integer types hold them. Larger numbers are
/// real ones. `WeightFacts::integral` tells it up to 2^53. O(m) where a weight is larger, else
/// O(1).
bool whole_weights(const Graph& graph);

}  // namespace apsp::graph
