// Refusals of unsupported weights. Messages name the first such edge.
#pragma once

#include <apsp/graph.hpp>
#include <string_view>

namespace apsp::graph {

/// Throws `Error` (usage) if a weight is negative. `what`: "the nearest places need". `way_out`: a
/// sentence about alternatives, without its full stop. O(1) if all weights are accepted, else O(n +
/// m).
void require_non_negative(const Graph& graph, std::string_view what, std::string_view way_out);
/// The same for weights of 0 and below.
void require_positive(const Graph& graph, std::string_view what, std::string_view way_out);

}  // namespace apsp::graph
