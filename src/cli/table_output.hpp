// Tables and maps as output of verbs.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/table.hpp>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/graph_options.hpp"
#include "graph/vertex_states.hpp"
#include "io/column_table.hpp"
#include "io/output_file.hpp"
#include "io/street_lines.hpp"

namespace apsp::cli {

/// Writes a map: a table with the geometry of every row, as GeoJSON, GeoParquet, or CSV with WKT.
class MapFile {
 public:
  /// `name`: the file of the positions. `columns`: without the geometry. `further`: as for
  /// `ColumnTable`. Throws `Error`: input (positions that are not longitudes and latitudes), usage
  /// (names that are not UTF-8), input_output.
  MapFile(const std::string& path, std::vector<io::TableColumn> columns, const Graph& graph,
          Coordinates at, const std::string& name, const Control& control,
          io::StreetLines streets = {}, std::span<const std::string> further = {});

  /// Adds places as further vertices, as `with_places` does. `points` outlive this.
  void add(const PlacedPoints& points);
  /// Draws the arcs of this graph of the same vertices, which outlives this, from now on.
  void follow(const Graph& graph) { followed_ = &graph; }
  /// Writes rows: a point at the vertex of the first column, or a line if another vertex column is
  /// called to.
  void put(std::int64_t rows, std::span<const io::ColumnValues> values);
  /// Writes a row with the vertices as a line, or a single vertex as a point.
  void line(std::span<const Vertex> vertices, std::vector<io::ColumnValues> row);
  /// Writes a row with all parts of arcs within the limit from the source as lines: the streets of
  /// an isochrone. Streets of both directions are drawn once where these meet. `targets`,
  /// `distances`: the vertices within the limit, without the source.
  void reached(Vertex source, double limit, std::span<const Vertex> targets,
               std::span<const double> distances, std::vector<io::ColumnValues> row);
  void commit() { table_.commit(); }

 private:
  /// A place on a street has its own number.
  Vertex place(Vertex v) const;
  const Place* place_on_street(Vertex v) const;
  /// Rounds the geometry and writes a row with it.
  void put_row(std::vector<io::ColumnValues> row, io::Geometry& geometry);
  /// The points of a street from one vertex to another.
  std::vector<io::MapPoint> street(Vertex from, Vertex to) const;

  const Graph& graph_;
  const Graph* followed_ = &graph_;
  graph::VertexStates states_;
  Coordinates at_;
  std::vector<const Place*> places_;
  io::StreetLines streets_;
  std::vector<io::TableColumn> columns_;
  io::ColumnTable table_;
  std::vector<double> distance_;  // [n] from the source that is drawn; infinity if beyond the limit
};

/// A number, or null if it is infinite.
nlohmann::ordered_json finite_json(double value);

struct TableOutput {
  std::string path;  ///< empty: standard output
  std::string positions;
  std::string geometry{};  ///< lines of streets, for a map; empty: straight

  /// Whether rows have a geometry.
  bool is_map() const {
    return io::names_geojson(path) || path.ends_with(".geo.parquet") ||
           (!geometry.empty() && io::names_column_table(path));
  }
};

/// Declares -o and --positions. `otherwise`: the destination without -o.
void declare_table(Arguments& arguments, TableOutput& output,
                   const std::string& otherwise = "standard output, as CSV");
/// Declares --positions and --geometry. `what`: the map that needs them.
void declare_positions(Arguments& arguments, TableOutput& output, const std::string& what);

/// Sets the file of positions to the graph's if this is an extract of OpenStreetMap and neither
/// --positions nor --coordinates is given.
void set_positions(std::string& positions, const ReadOptions& reading, const std::string& graph);

/// Throws `Error` (usage) for an output that is neither a table nor a map, a map without positions,
/// positions without a map and points, or an output that would replace a file that is read.
/// Calls `set_positions` for the first of `inputs`, which is the graph.
void check_table(TableOutput& output, const ReadOptions& reading, std::vector<std::string> inputs,
                 bool takes_points = false);

/// The file of the places of vertices, or an empty text.
inline const std::string& positions_of(const TableOutput& output, const ReadOptions& reading) {
  return output.positions.empty() ? reading.coordinates : output.positions;
}

/// Writes a complete table or none, to standard output unless --json. `further`: names of vertices
/// beyond those of the graph.
void write_table(Context& context, const TableOutput& output, const Graph& graph,
                 std::vector<io::TableColumn> columns,
                 const std::function<void(io::ColumnTable&)>& write,
                 std::span<const std::string> further = {});
/// Requires: `output.is_map()`.
void write_map(Context& context, const TableOutput& output, const ReadOptions& reading,
               const Graph& graph, std::vector<io::TableColumn> columns,
               const std::function<void(MapFile&)>& write,
               std::span<const std::string> further = {});
using PutRows = std::function<void(std::int64_t rows, std::span<const io::ColumnValues> values)>;
/// Writes rows as a table, or as a map (`MapFile::put`). `produce` puts at most `rows`.
void write_rows(Context& context, const TableOutput& output, const ReadOptions& reading,
                const Graph& graph, const std::vector<io::TableColumn>& columns, std::int64_t rows,
                const std::function<void(const PutRows&)>& produce);
/// The same for columns that hold all rows.
void write_rows(Context& context, const TableOutput& output, const ReadOptions& reading,
                const Graph& graph, const io::Columns& columns, std::int64_t rows);
/// The columns from, to and weight of arcs, without a copy. `arcs` outlives the result.
io::Columns arc_columns(std::span<const Edge> arcs);
void note_written(Context& context, const std::string& path);
/// The path, or null for standard output.
nlohmann::json output_json(const TableOutput& output);

}  // namespace apsp::cli
