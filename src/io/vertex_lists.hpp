// Lists of vertices, pairs and edges for `sources`, pair queries and updates.
//
// A list is a text in rows, possibly compressed; "-" is standard input. Fields are separated by
// tabs, commas, semicolons or blanks. Lines that begin with # or % are comments. All functions
// throw `Error`: input (an unknown vertex, too few columns; with line and column), input_output,
// interrupted.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <apsp/turns.hpp>
#include <span>
#include <string>
#include <vector>

#include "io/geojson.hpp"
#include "io/source.hpp"
#include "io/text_table.hpp"

namespace apsp::io {

struct ListReading {
  Control control = {};
  Remarks* remarks = nullptr;
  std::string encoding = {};
  /// Receives the entries of the column `name` if another column names the vertices.
  std::vector<std::string>* names = nullptr;
};

/// Returns of(cursor) for the text of a list, or the table of GeoJSON.
template <class F>
auto of_text(HeldBytes held, const std::string& path, const ListReading& reading, const F& of) {
  const ReadOptions options{.control = reading.control, .encoding = reading.encoding};
  return with_source(std::move(held), display_name(path), options, {}, [&](const Source& source) {
    const std::string csv = geojson_as_csv(source);
    const Source table{csv, source.name, options, source.progress};
    TextCursor cursor(csv.empty() ? source : table);
    return of(cursor);
  });
}

/// The vertices of a list in order. A line is a vertex's name, or its first column is, or the
/// column titled vertex, node or id. A first row is titles if it has a usual title ("source",
/// "node"), or an unknown word above a vertex. Repeated vertices count once. Remarks report both.
/// Throws `Error` (input) for an empty list.
std::vector<Vertex> read_vertices(const std::string& path, const Graph& graph,
                                  const ListReading& reading = {});

/// The pairs in two columns: those with usual titles for ends ("to,from"), else the first two.
/// Ignores other columns, so that edge lists can be read. A first row without vertices above a pair
/// is titles. An .npy [pairs, 2] of integers is read faster.
std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const ListReading& reading = {});
/// The pairs of an .npy, whose values are numbers in the graph's file, or labels that are such
/// numbers. `bytes`: the contents of `file`. Throws `Error` (input), with its row, also for another
/// shape or type, or a truncated file.
std::vector<VertexPair> pairs_of_npy(std::span<const char> bytes, const std::string& file,
                                     const Graph& graph, const Control& control);

/// Pairs with a weight ("inf" removes the arc) in the titled or third column, and optionally an old
/// weight in the last column, titled "old", or the fourth. An empty old weight is none.
std::vector<WeightChange> read_changes(const std::string& path, const Graph& graph,
                                       const ListReading& reading = {});

/// One weight per row, "inf" included, or an .npy [m] of real numbers. A word in the first row is a
/// title.
std::vector<double> read_weight_list(const std::string& path, const ListReading& reading = {});

struct VertexQuantities {
  std::vector<std::string> titles;   ///< [columns] "jobs"; "1", "2" without titles
  std::vector<double> values;        ///< [columns, n] row-major; 0 for vertices that are not listed
  std::vector<std::uint8_t> listed;  ///< [n] 1 for vertices that are
};

/// A table with vertices in the first column and numbers in the others; several rows of a vertex
/// are added. A first row of titles ("vertex,jobs") names the columns.
VertexQuantities read_quantities(const std::string& path, const Graph& graph,
                                 const ListReading& reading = {});

/// Rows that name vertices and hold numbers.
struct VertexRows {
  std::vector<Vertex> vertices;     ///< [rows, ends]
  std::vector<std::string> titles;  ///< [columns] of the numbers; "1", "2" without titles
  std::vector<double> values;       ///< [rows, columns], also infinite
};

/// A table whose first columns, or those with the titles from, via and to or usual ones for them,
/// name vertices. The others are numbers: the cost of a turn (ends: 3), or the volumes of trips
/// (ends: 2).
VertexRows read_vertex_rows(const std::string& path, const Graph& graph, int ends,
                            const ListReading& reading = {});

bool has_arc(const Graph& graph, Vertex from, Vertex to);

/// The turns of a table of from, via, to and cost.
std::vector<Turn> read_turns(const std::string& path, const Graph& graph,
                             const ListReading& reading = {});

/// The same as `read_coordinates`, for a table in any encoding.
Coordinates read_places(const std::string& path, const Graph& graph, const ListReading& reading);

/// The length of a great circle on a sphere with the Earth's mean radius, 6,371,008.8 m, in metres.
double great_circle_length(const Coordinates& at, Vertex u, Vertex v);
/// The graph with great-circle lengths in metres as weights. `places`: a Matrix Market array.
/// Throws `Error` (input), also unless there is one coordinate per vertex.
Graph with_great_circle_weights(const Graph& graph, const Source& places);

}  // namespace apsp::io
