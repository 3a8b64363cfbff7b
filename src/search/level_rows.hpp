// Rows of hops by breadth-first searches from one source at a time, which turn around where a level
// has many arcs (Beamer 2012). Few sources take less time and memory than in `breadth_first_rows`.
#pragma once

#include <apsp/graph.hpp>
#include <memory>

#include "flow/row_source.hpp"

namespace apsp::search {

/// Min-plus in i32 of a graph whose weights are 1. Copies the arcs of `graph`; with `reversed` the
/// searches take them backwards, and a row has the distances to its vertex. Throws `Error`: usage
/// (other weights), does_not_fit (2^32 arcs or more).
std::unique_ptr<flow::RowSource> level_rows(const Graph& graph, bool reversed);

}  // namespace apsp::search
