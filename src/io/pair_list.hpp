// Pairs of vertices, a row each: what `apsp distance --pairs` reads, and with a weight each
// `apsp update`.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <string>
#include <vector>

namespace apsp::io {

/// The pairs of a text of CSV (commas or semicolons) or of columns between blanks, gzip or zstd
/// too; "-" is standard input. The first two columns name vertices of the graph; others are passed
/// over, so that an edge list and our own output can be read. Lines that begin with # or % are
/// comments; a first row of titles ("from,to") is none of the pairs. Throws `Error`: input (a name
/// that is no vertex, a row of one column; with line and column), input_output, interrupted.
std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const Control& control);

/// The same from a text in memory that errors call `name`.
std::vector<VertexPair> parse_pairs(std::span<const char> text, const std::string& name,
                                    const Graph& graph, const Control& control = {});

/// The same with a third column, a weight. Throws as above, also for what is no number.
std::vector<Edge> read_weights(const std::string& path, const Graph& graph, const Control& control);
std::vector<Edge> parse_weights(std::span<const char> text, const std::string& name,
                                const Graph& graph, const Control& control = {});

}  // namespace apsp::io
