// Rows of reachability, a bit a source: 512 sources at once walk the graph of strong components in
// topological order, and each arc between components is looked at once (Purdom 1970). There are no
// levels.
//
// A block costs O(n + m) lines of 64 bytes whatever the diameter; a worker takes 64 bytes a vertex
// and a component.
#pragma once

#include <apsp/graph.hpp>
#include <memory>

#include "flow/row_source.hpp"

namespace apsp::search {

/// Or-and in bytes: 1 where there is a path, and on the diagonal. Weights play no part. The arcs
/// are copied. Throws `Error` (does_not_fit) for 2^32 arcs or more.
std::unique_ptr<flow::RowSource> reachability_rows(const Graph& graph);

}  // namespace apsp::search
