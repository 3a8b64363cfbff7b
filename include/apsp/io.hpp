// Graphs from and to files. Formats are recognised by content, then by suffix; gzip, zstd, xz,
// bzip2 and ZIP by their magic bytes; "-" is standard input or output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

namespace apsp {

/// A format by its place among all. Those without a name here are had by `parse_graph_format`.
enum class GraphFormat {
  matrix_market,
  dimacs,
  edge_list,
  metis,
  as_rel,
  numpy,
  graphml,
  gml,
  pajek,
  node_link,
  npz
};

/// How CAIDA's relations become arcs: both ways, provider → customer, or customer → provider
/// (peers always both ways).
enum class AsRelPolicy { both, down, up };

/// Which columns (counted from 1) of an edge list hold the two ends and the weight; weight 0: none.
struct EdgeListColumns {
  int from = 1;
  int to = 2;
  int weight = 3;
};

/// What a file says of its size before its arcs come.
struct GraphHeader {
  GraphFormat format = GraphFormat::edge_list;
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;  ///< announced; 0 of a matrix
  bool matrix = false;    ///< dense: every pair has a value
};

struct ReadOptions {
  std::optional<GraphFormat> format = {};       ///< empty: recognise
  std::optional<bool> directed = {};            ///< empty: what the file says; see docs/formats.md
  std::optional<EdgeListColumns> columns = {};  ///< empty: recognise
  std::optional<AsRelPolicy> as_rel = {};       ///< empty: both
  /// The attribute of edges that is the weight, in GraphML, GML and node-link JSON. "none": every
  /// edge has weight 1. Empty: the attribute `weight`.
  std::string weight = {};
  /// A Matrix Market array [n, 2] of longitude and latitude in degrees: weights become great-circle
  /// lengths in metres.
  std::string coordinates = {};
  /// Called once a header is known, before the rest is read (edge lists have none); may throw.
  std::function<void(const GraphHeader&)> on_header = {};
  /// At most so many threads read; 0: as many as this process may use.
  int threads = 0;
  Control control = {};
  /// The graph knows in which order parallel arcs come in the file (`Graph::weights_as_given`). One
  /// thread reads then.
  bool keep_order = false;
};

/// Throws `Error`: input (malformed, with file, line and column), input_output, usage (an option
/// that the format has no use for).
Graph read_graph(const std::string& path, const ReadOptions& options = {});

/// The same from memory; `name` stands in error messages and decides by its suffix.
Graph parse_graph(std::span<const char> bytes, const std::string& name,
                  const ReadOptions& options = {});

/// Written under a temporary name and renamed when complete. The format follows the suffix (with
/// .gz or .zst behind it: compressed); an edge list has commas in .csv, tabs in .tsv, else blanks.
/// Throws `Error`: usage (the format cannot hold the graph), input_output, interrupted.
void write_graph(const Graph& graph, const std::string& path,
                 std::optional<GraphFormat> format = std::nullopt, const Control& control = {});

/// For what reads some files and writes another, before it begins. Throws `Error` (usage) if
/// writing `output` would replace one of `inputs`: the same file by any name or link, a folder that
/// holds an input, or a place inside of an input that is a folder. Standard input and output ("-"),
/// empty paths, and what is neither a file nor a folder, never meet.
void require_apart(const std::string& output, std::span<const std::string> inputs);

/// Where the vertices of a graph lie on a map.
struct Coordinates {
  std::vector<double> x, y;  ///< [n]: to the right, and upwards
  bool degrees = false;      ///< longitude and latitude; or lengths of one unit
};

/// One place a vertex, gzip or zstd too: a Matrix Market array [n, 2] of longitude and latitude in
/// degrees, or a table, a vertex a row, "name x y" with commas, semicolons or blanks between.
/// Titles in its first row may name the columns otherwise: those called x, lon, lng, long or
/// longitude and y, lat or latitude are taken, and the first of the others; what is called by its
/// longitude is in degrees, and so is y, x in this order where all of it is on the globe. Throws
/// `Error`: input (a row that is none, a vertex that is none, comes twice or not at all; with line
/// and column where there are such), input_output, interrupted.
Coordinates read_coordinates(const std::string& path, const Graph& graph,
                             const Control& control = {});
/// The same from memory; `name` stands in error messages.
Coordinates parse_coordinates(std::span<const char> bytes, const std::string& name,
                              const Graph& graph, const Control& control = {});

std::span<const GraphFormat> all_graph_formats();
std::string_view name(GraphFormat format);
std::optional<GraphFormat> parse_graph_format(std::string_view text);

}  // namespace apsp
