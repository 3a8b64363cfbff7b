// Names of vertices in typed outputs.
#pragma once

#include <apsp/graph.hpp>
#include <string>

namespace apsp::io {

/// Whether all names are 64-bit integers in canonical form, which typed outputs store as numbers.
/// O(n) with labels.
bool has_integer_names(const Graph& graph);

/// Throws `Error` (usage) for the first label that is not UTF-8, which UTF-8 formats cannot hold.
/// O(bytes of the labels). `path`: the output, for the message.
void require_utf8_names(const Graph& graph, const std::string& path);

}  // namespace apsp::io
