// Integer weights, and exact sums in double precision.
#pragma once

#include <apsp/graph.hpp>

namespace apsp::graph {

/// Integers up to this magnitude are exact doubles, and no other integer rounds to one. The same
/// holds for their sums: a sum beyond the limit never rounds to a value within it.
inline constexpr double kMostExact = 0x1p53 - 1;

/// Whether every weight is an integer below 2^64, as integer types store them; larger weights count
/// as real. `WeightFacts::integral` decides up to 2^53. O(m) if a weight is larger, else O(1).
bool whole_weights(const Graph& graph);

}  // namespace apsp::graph
