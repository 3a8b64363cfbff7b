// Tables and maps as output of verbs: CSV, Parquet, GeoJSON.
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

/// Writes a map as GeoJSON (RFC 7946): features with geometry and properties.
class MapFile {
 public:
  using Properties = nlohmann::ordered_json;

  /// `name`: the file of the positions. Throws `Error`: input (positions that are not longitudes
  /// and latitudes), usage (names that are not UTF-8), input_output.
  MapFile(const std::string& path, const Graph& graph, Coordinates at, const std::string& name,
          const Control& control, io::StreetLines streets = {});

  /// Adds places as further vertices, as `with_places` does. `points` outlive this.
  void add(const PlacedPoints& points);
  /// Draws the arcs of this graph of the same vertices, which outlives this, from now on.
  void follow(const Graph& graph) { followed_ = &graph; }
  /// The vertex's name as a property: a number if all names are integers.
  Properties name(Vertex v) const;
  void point(Vertex v, const Properties& properties);
  /// Writes the vertices as a line, or a single vertex as a point.
  void line(std::span<const Vertex> vertices, const Properties& properties);
  /// Writes all parts of arcs within the limit from the source as lines: the streets of an
  /// isochrone. Streets of both directions are drawn once where these meet. `targets`, `distances`:
  /// the vertices within the limit, without the source.
  void reached(Vertex source, double limit, std::span<const Vertex> targets,
               std::span<const double> distances, const Properties& properties);
  void commit();

 private:
  /// A place on a street has its own number.
  Vertex place(Vertex v) const;
  const Place* place_on_street(Vertex v) const;
  void begin_feature(std::string_view type);
  void end_feature(const Properties& properties);
  void put_place(double x, double y);
  /// The points of a street from one vertex to another.
  std::vector<io::MapPoint> street(Vertex from, Vertex to) const;
  void put_part(Vertex from, Vertex to, double share);

  const Graph& graph_;
  const Graph* followed_ = &graph_;
  graph::VertexStates states_;
  bool integer_names_;
  Coordinates at_;
  std::vector<std::pair<const Place*, const std::string*>> places_;  // and names of points
  io::StreetLines streets_;
  io::OutputFile file_;
  bool first_ = true, first_part_ = true;
  std::vector<double> distance_;  // [n] from the source that is drawn; infinity if beyond the limit
};

/// A number, or null if it is infinite.
nlohmann::ordered_json finite_json(double value);

struct TableOutput {
  std::string path;  ///< empty: standard output
  std::string positions;
  std::string geometry{};  ///< lines of streets, for a map; empty: straight

  bool is_map() const { return path.ends_with(".geojson"); }
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
               const Graph& graph, const std::function<void(MapFile&)>& write);
using PutRows = std::function<void(std::int64_t rows, std::span<const io::ColumnValues> values)>;
/// Writes rows as a table, or as a map with a feature for each row: a point at the vertex of the
/// first column, or a line if the first two columns are called from and to. `produce` puts at most
/// `rows`.
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
