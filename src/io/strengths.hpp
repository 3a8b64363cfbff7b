// Weights of a file that are strengths of edges, as lengths (apsp/io.hpp).
#pragma once

#include <apsp/io.hpp>

#include "io/source.hpp"

namespace apsp::io {

/// Returns the graph of `source` with lengths in place of strengths. Throws `Error` (input) for a
/// strength without a length, with the line if a line of the text has both ends and the strength.
Graph with_lengths_of(const Source& source, const Graph& graph, EdgeLengths lengths);

}  // namespace apsp::io
