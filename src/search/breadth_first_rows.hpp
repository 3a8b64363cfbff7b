// Rows of hops by breadth-first searches from 512 sources at once (Then 2014): a bit a source, so
// that one look at an arc serves all searches that meet there. A level either asks the predecessors
// of what is still to be reached or tells the successors of what was, whichever looks at fewer arcs
// (Beamer 2012).
//
// Levels are kept as digits in base 2, a plane of bits each, and become values at the end, 64
// vertices of a source at a time, so that rows are written in whole cache lines. Sources of a block
// lie near each other, so that their searches meet early: a block costs
// about diameter · m looks at an arc where the diameter is small. A worker takes 64 bytes a vertex
// for each of its planes, bit_width(n) + 3 of them, most untouched.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <memory>

#include "flow/row_source.hpp"

namespace apsp::search {

/// Min-plus of a graph whose weights all are 1. The arcs are copied.
/// Throws `Error`: usage (another weight than 1, boolean), does_not_fit (2^32 arcs or more); and
/// from `compute`, does_not_fit where a distance is beyond the type.
std::unique_ptr<flow::RowSource> breadth_first_rows(const Graph& graph, ValueType type);

}  // namespace apsp::search
