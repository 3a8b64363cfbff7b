// Checks of strengths that become lengths (apsp/io.hpp).
#pragma once

#include <apsp/io.hpp>
#include <optional>
#include <string>

namespace apsp::graph {

/// An edge whose strength has no length, or nothing. O(1) if there is none.
std::optional<Edge> first_without_length(const Graph& graph, EdgeLengths lengths);

/// "the strength of the edge A → B is 0, and …", for an edge of `first_without_length`.
std::string why_no_length(const Graph& graph, const Edge& edge, EdgeLengths lengths);

}  // namespace apsp::graph
