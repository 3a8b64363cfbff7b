// A list of vertices, one a line: what `apsp solve --sources @FILE` reads.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <span>
#include <string>
#include <vector>

namespace apsp::io {

/// The vertices of a text, in its order, gzip or zstd too; "-" is standard input. A line is a
/// vertex's name, or its first column (CSV with commas or semicolons, or between blanks) is. Lines
/// that begin with # or % are comments; a title ("source", "node") in the first row is none of the
/// vertices. Throws `Error`: input (a name that is no vertex, a vertex that comes twice, with line
/// and column; no vertex at all), input_output, interrupted.
std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const Control& control);

/// The same from a text in memory that errors call `name`.
std::vector<Vertex> parse_vertices(std::span<const char> text, const std::string& name,
                                   const Graph& graph, const Control& control = {});

}  // namespace apsp::io
