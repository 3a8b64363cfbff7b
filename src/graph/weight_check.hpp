// Refusals of weights that a question does not take: they name the first such edge.
#pragma once

#include <apsp/graph.hpp>
#include <string_view>

namespace apsp::graph {

/// `what` is refused weights below 0: "the nearest places need". `way_out`: a sentence on what
/// takes them, without its end. O(1) if all weights are right, else O(n + m). Throws `Error`
/// (usage).
void require_non_negative(const Graph& graph, std::string_view what, std::string_view way_out);
/// The same of weights of 0 and below.
void require_positive(const Graph& graph, std::string_view what, std::string_view way_out);

}  // namespace apsp::graph
