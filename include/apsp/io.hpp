// Graphs from and to files. Formats are recognised by content, then by suffix; gzip, zstd, xz,
// bzip2 and ZIP by their magic bytes; "-" is standard input or output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  npz,
  matrix
};

/// How CAIDA's relations become arcs: both ways, provider → customer, or customer → provider
/// (peers always both ways).
enum class AsRelPolicy { both, down, up };

/// Separates the fields of a table. `blank`: blanks and tabs alike.
enum class Separator : char { blank = ' ', tab = '\t', comma = ',', semicolon = ';' };

/// How vertices of a table are told apart. `number`: 2, 2.0 and 002 are one vertex; `text`: they
/// are three.
enum class VertexIds { number, text };

/// A column of a table: its title, or its number counted from 1. 0: none.
struct Column {
  int number = 0;
  std::string title = {};  ///< empty: the number holds

  Column(int counted = 0) : number(counted) {}
  Column(std::string name) : title(std::move(name)) {}
  Column(const char* name) : title(name) {}
  bool none() const { return number == 0 && title.empty(); }
};

/// The columns of an edge list that hold the two ends and the weight; without one, weights are 1.
struct EdgeListColumns {
  Column from = 1;
  Column to = 2;
  Column weight = 3;
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
  /// The weight: the title of a column of an edge list, or the name of an attribute of edges in
  /// GraphML, GML and node-link JSON. "none": every edge has weight 1. Empty: as `choose_columns`
  /// decides, and the attribute `weight`.
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
  std::optional<Separator> separator = {};  ///< empty: the first row of the table tells
  std::optional<VertexIds> ids = {};        ///< empty: numbers if all are; see docs/formats.md
  /// The column that says which edges have one direction (yes, true, 1: as written; -1: reversed;
  /// no, false, 0: both). The graph is directed then.
  Column oneway = {};
  /// The column of the weights of the way back. Negative weights mean that there is no such way, in
  /// the column of the weights too. The graph is directed then.
  Column reverse_cost = {};
  /// Whether a 0 in a matrix of text is an edge of length 0; empty: it is no edge.
  std::optional<bool> zero_is_edge = {};
  std::string encoding = {};  ///< of a text, as iconv calls it; empty: UTF-8, or by its first bytes
};

/// Columns counted from 0; −1: none.
struct TableColumns {
  int from = 0;
  int to = 1;
  int weight = -1;
  int oneway = -1;
  int reverse_cost = -1;
  std::vector<std::string> remarks = {};  ///< what was assumed, a sentence each
};

/// The columns of a table of edges, by its titles and `options`' columns, weight, oneway and
/// reverse_cost. `options.columns` decides first. Without them, two titles name the ends (source
/// and target, from and to, u and v, … in any case), else the first two columns with a title are
/// the ends. The column `weight` is the weight, else the only column left, with a remark unless its
/// title is usual for weights (length, distance, cost, …). A column titled oneway or reverse_cost
/// that no option asks for is never the weight and gets a remark. Columns without a title are not
/// candidates and get a remark. Throws `Error` (input) where several columns could be the ends or
/// the weight, or an asked one is not there: the message lists the titles and says what to choose.
TableColumns choose_columns(std::span<const std::string> titles, const ReadOptions& options = {});

/// Whether a word is what programs write for a value that is missing: empty, NA, N/A, NaN, null,
/// None, <NA>, …
bool is_missing_value(std::string_view text);

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
