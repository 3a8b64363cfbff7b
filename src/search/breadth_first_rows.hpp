// Rows of hops by breadth-first searches from 512 sources at once, one bit a source (Then 2014). A
// level pulls from predecessors or pushes to successors, whichever reads fewer arcs (Beamer 2012).
// Levels are binary digits, a plane of bits each, and become values at the end.
//
// Sources of a block are near each other, so their searches share most accesses of arcs: about
// diameter · m if the diameter is small. A worker takes 64 bytes a vertex for each of bit_width(n)
// + 3 planes, most of them untouched.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <memory>

#include "flow/row_source.hpp"

namespace apsp::search {

/// Min-plus of a graph whose weights are 1: breadth-first searches from many sources at a time
/// (multi-source; Then 2014). Copies the arcs of `graph`. Throws `Error`: usage (other weights,
/// boolean), does_not_fit (2^32 arcs or more). `compute` throws does_not_fit if the type lacks a
/// distance.
std::unique_ptr<flow::RowSource> breadth_first_rows(const Graph& graph, ValueType type);

}  // namespace apsp::search
