// The readers and writers, one pair a format, and how a format is recognised.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "io/source.hpp"

namespace apsp::io {

/// All throw `Error` (input) with file, line and column.
Graph read_matrix_market(const Source& source);
Graph read_dimacs(const Source& source);
Graph read_edge_list(const Source& source);
Graph read_metis(const Source& source);
Graph read_as_rel(const Source& source);
Graph read_numpy(const Source& source);

/// All throw `Error` (usage) where the format cannot hold the graph.
void write_matrix_market(const Graph& graph, OutputFile& out);
void write_dimacs(const Graph& graph, OutputFile& out);
void write_edge_list(const Graph& graph, OutputFile& out, char separator = ' ');
void write_metis(const Graph& graph, OutputFile& out);
void write_numpy(const Graph& graph, OutputFile& out);

/// By content if that is unmistakable, else by the suffix of `name`, else an edge list.
/// Throws `Error` (input) for bytes that are no text of any of the formats.
GraphFormat recognise(std::span<const char> bytes, std::string_view name);

/// By suffix (without .gz or .zst); empty if it is none of ours.
std::optional<GraphFormat> format_of_suffix(std::string_view name);
/// The format that a graph is written in. Throws `Error` (usage) where the suffix is none of ours.
GraphFormat output_format(std::string_view name);
/// What stands between the fields of an edge list of that name: a comma in .csv, a tab in .tsv,
/// else a blank.
char separator_of_suffix(std::string_view name);
/// Throws `Error` (usage) for an option that says how another format than this one is read.
void require_useful(const ReadOptions& options, GraphFormat format, const std::string& name);
/// What .gz or .zst at the end of a name asks for.
Compression compression_of_suffix(std::string_view name);

/// An array [rows, 2] of a Matrix Market file.
struct CoordinateArray {
  std::vector<double> longitude, latitude;  // [rows], degrees
};
CoordinateArray read_coordinates(const Source& source);
/// Throws `Error` (input) unless there is one coordinate a vertex.
void require_one_each(const CoordinateArray& coordinates, const Graph& graph,
                      const std::string& name);

/// Whether a text begins as a Matrix Market file does.
bool has_matrix_market_banner(std::string_view text);

/// `graph` with great-circle lengths in metres for weights.
/// Throws `Error` (input) unless there is one coordinate a vertex.
Graph with_great_circle_weights(const Graph& graph, const CoordinateArray& coordinates,
                                const std::string& name);

}  // namespace apsp::io
