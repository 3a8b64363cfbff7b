// Reading and writing of graph files. Formats are recognised by content, then by suffix; gzip,
// zstd, xz, bzip2 and ZIP by their magic bytes. The path "-" means standard input or output.
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

/// `parse_graph_format` returns also formats that have no name here.
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

/// Direction of CAIDA's relations: both, provider → customer, or customer → provider. Peers: both.
enum class AsRelPolicy { both, down, up };

/// Separator of the fields of a table. `blank`: blanks and tabs.
enum class Separator : char { blank = ' ', tab = '\t', comma = ',', semicolon = ';' };

/// Identity of vertices in a table. `number`: 2, 2.0 and 002 are one vertex; `text`: three.
enum class VertexIds { number, text };

/// A column of a table: its title, or its number counted from 1; 0: none.
struct Column {
  int number = 0;
  std::string title = {};

  Column(int counted = 0) : number(counted) {}
  Column(std::string name) : title(std::move(name)) {}
  Column(const char* name) : title(name) {}
  bool none() const { return number == 0 && title.empty(); }
};

/// The columns of an edge list. Weights are 1 if there is no weight column.
struct EdgeListColumns {
  Column from = 1;
  Column to = 2;
  Column weight = 3;
};

/// Sizes that a file announces before its arcs.
struct GraphHeader {
  GraphFormat format = GraphFormat::edge_list;
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;  ///< 0 for a matrix
  bool matrix = false;    ///< dense: every pair has a value
};

/// Returns the graph whose edges are as long as `formula` makes of their weights w, strengths such
/// as correlations or numbers of contacts; a remark says so. A formula has numbers, w, + - * / ^,
/// parentheses, sqrt, log (natural), exp and abs. "inverse" is 1/w (Newman 2001), "log" is -log(w):
/// shortest paths have the greatest product of strengths, "one-minus" is 1-w; these three take
/// strengths above 0. O(n + m). Throws `Error` (usage): a malformed formula; or a length that is
/// not finite or below 0, with the edge.
Graph with_lengths(const Graph& graph, std::string_view formula);

struct ReadOptions {
  std::optional<GraphFormat> format = {};       ///< empty: recognised
  std::optional<bool> directed = {};            ///< empty: as the file says (docs/formats.md)
  std::optional<EdgeListColumns> columns = {};  ///< empty: recognised
  std::optional<AsRelPolicy> as_rel = {};       ///< empty: both
  /// The title of the weight column of an edge list, or the name of an edge attribute in GraphML,
  /// GML and node-link JSON. "none": weights are 1. Empty: `choose_columns`, or the attribute
  /// `weight`.
  std::string weight = {};
  /// Path of a Matrix Market array [n, 2] of longitude and latitude in degrees. Weights become
  /// great-circle distances in metres.
  std::string coordinates = {};
  /// Called when a header is known, before the arcs are read (never for edge lists); may throw.
  std::function<void(const GraphHeader&)> on_header = {};
  /// Maximum number of threads; 0: all that this process may use.
  int threads = 0;
  Control control = {};
  /// Keeps the order of parallel arcs (`Graph::weights_as_given`). One thread reads then.
  bool keep_order = false;
  std::optional<Separator> separator = {};  ///< empty: recognised from the first row
  std::optional<VertexIds> ids = {};        ///< empty: numbers if all are (docs/formats.md)
  /// The column with the direction of each edge (yes, true, 1: as written; -1: reversed; no, false,
  /// 0, or missing: both). The graph is directed then.
  Column oneway = {};
  /// The column with the weights of the reverse arcs. A negative weight in either column means that
  /// there is no arc. The graph is directed then.
  Column reverse_cost = {};
  /// Whether a 0 in a text matrix is an edge of length 0; empty: it is no edge.
  std::optional<bool> zero_is_edge = {};
  /// Encoding of a text, as iconv names it; empty: UTF-8, or by a byte-order mark.
  std::string encoding = {};
  /// A formula: edges become as long as `with_lengths` makes of their weights. Empty: weights are
  /// lengths. Not with `coordinates` and `reverse_cost`.
  std::string lengths = {};
  /// The traveller in an extract of OpenStreetMap: car, bike, foot, or a file (docs/osm.md).
  std::string profile = {};
  /// Keeps all strong components of an extract instead of the largest.
  bool all_streets = false;
};

/// Columns counted from 0; −1: none.
struct TableColumns {
  int from = 0;
  int to = 1;
  int weight = -1;
  int oneway = -1;
  int reverse_cost = -1;
  std::vector<std::string> remarks = {};  ///< assumptions, a sentence each
};

/// Chooses the columns of a table of edges by its titles. `options.columns` has priority. Without
/// it, two titles name the ends (source and target, from and to, u and v, … in any case), else the
/// first two titled columns are the ends. The column `weight` is the weight, else the only
/// remaining column, with a remark unless its title is usual for weights (length, distance, cost,
/// …). A column titled oneway or reverse_cost that no option names, and columns without a title,
/// are not used and get a remark. Throws `Error` (input), which lists the titles, if several
/// columns could be the ends or the weight, or if a named column is missing.
TableColumns choose_columns(std::span<const std::string> titles, const ReadOptions& options = {});

/// Whether a word marks a missing value: empty, NA, N/A, NaN, null, None, <NA>, …
bool is_missing_value(std::string_view text);

/// Throws `Error`: input (malformed: file, line, column), input_output, usage (an unusable option).
Graph read_graph(const std::string& path, const ReadOptions& options = {});

/// The same from memory. Error messages use `name`, and its suffix helps to recognise the format.
Graph parse_graph(std::span<const char> bytes, const std::string& name,
                  const ReadOptions& options = {});

/// Writes a file, complete or not at all. The suffix chooses the format, and compression by a
/// further .gz or .zst; edge lists have commas in .csv, tabs in .tsv, else blanks. Throws `Error`:
/// usage (the format cannot hold the graph), input_output, interrupted.
void write_graph(const Graph& graph, const std::string& path,
                 std::optional<GraphFormat> format = std::nullopt, const Control& control = {});

/// Throws `Error` (usage) if writing `output` would replace one of `inputs`: the same file by any
/// name or link, a folder that holds an input, or a place inside an input that is a folder. Ignores
/// standard input and output ("-"), empty paths, and what is neither a file nor a folder.
void require_apart(const std::string& output, std::span<const std::string> inputs);

/// Positions of the vertices on a map.
struct Coordinates {
  std::vector<double> x, y;  ///< [n]: to the right, upwards
  bool degrees = false;      ///< longitude and latitude, instead of lengths of one unit
};

/// Reads one position for each vertex: a Matrix Market array [n, 2] of longitude and latitude in
/// degrees, or a table with a row "name x y" for each vertex, separated by commas, semicolons or
/// blanks; gzip and zstd too. Titles may name the columns: x, lon, lng, long or longitude; y, lat
/// or latitude; the first other column is the name. Columns titled as longitude are in degrees, and
/// so are columns "y, x" if all values are valid degrees. Throws `Error`: input (a bad row, or a
/// vertex that is unknown, repeated or missing; with line and column where known), input_output,
/// interrupted.
Coordinates read_coordinates(const std::string& path, const Graph& graph,
                             const Control& control = {});
Coordinates parse_coordinates(std::span<const char> bytes, const std::string& name,
                              const Graph& graph, const Control& control = {});

/// A column of a table of points.
struct PointColumn {
  std::string title;
  std::vector<std::string> texts;  ///< [points]; empty if all are numbers
  std::vector<double> numbers;     ///< [points]; empty unless all are numbers
};

/// Points on a map, such as addresses, which are no vertices.
struct PointTable {
  Coordinates at;
  std::vector<std::string> names;    ///< [points] of the column name or id, else "1", "2", …
  std::vector<PointColumn> columns;  ///< all other columns but the coordinates
};

/// Reads points from a table with the titles lon and lat, or x and y, or from points of GeoJSON,
/// whose properties are the columns. `always`: false: returns nothing for a table that has no such
/// titles, or has a column of vertices, titled vertex or node. Throws `Error`: input, input_output,
/// interrupted.
std::optional<PointTable> read_points(const std::string& path, bool always = true,
                                      const Control& control = {});

std::span<const GraphFormat> all_graph_formats();
std::string_view name(GraphFormat format);
std::optional<GraphFormat> parse_graph_format(std::string_view text);

}  // namespace apsp
