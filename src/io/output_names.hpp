// How outputs with types hold the names of vertices.
#pragma once

#include <apsp/graph.hpp>
#include <string>

namespace apsp::io {

/// Whether all vertices are called by integers of 64 bits, as programs write them: outputs with
/// types hold these as numbers. O(n) with labels.
bool has_integer_names(const Graph& graph);

/// Throws `Error` (usage) that names the first label which is not UTF-8: formats of texts in UTF-8
/// would be damaged by it. O(bytes of the labels). `path`: of the output, for the message.
void require_utf8_names(const Graph& graph, const std::string& path);

}  // namespace apsp::io
