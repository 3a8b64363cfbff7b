// Weights of a file that are strengths of edges, as lengths (apsp/io.hpp).
#pragma once

#include <apsp/io.hpp>
#include <string>

#include "io/source.hpp"

namespace apsp::io {

/// Returns the graph of `source` with lengths by a formula. Throws `Error`: usage (a malformed
/// formula); input, for a weight without a length, with the line if a line of the text has both
/// ends and the strength.
Graph with_lengths_of(const Source& source, const Graph& graph, const std::string& formula);

}  // namespace apsp::io
