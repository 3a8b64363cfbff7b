// Rows of reachability: 512 sources at once, one bit a source, pass through the graph of strong
// components in topological order (Purdom 1970). A block takes O(n + m) lines of 64 bytes; a worker
// takes 64 bytes a vertex and a component.
#pragma once

#include <apsp/graph.hpp>
#include <memory>

#include "flow/row_source.hpp"

namespace apsp::search {

/// Or-and in bytes: 1 if there is a path, and on the diagonal. Weights play no part. Copies the
/// arcs of `graph`. Throws `Error` (does_not_fit) for
/// 2^32 arcs or more.
std::unique_ptr<flow::RowSource> reachability_rows(const Graph& graph);

}  // namespace apsp::search
