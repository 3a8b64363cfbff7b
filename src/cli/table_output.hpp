// Tables and maps that verbs write: CSV, Parquet, GeoJSON.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/near.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/graph_options.hpp"
#include "io/column_table.hpp"
#include "io/output_file.hpp"

namespace apsp::cli {

/// A map as a file: features with geometry and properties, as GeoJSON (RFC 7946), which QGIS,
/// browsers and GeoPandas read.
class MapFile {
 public:
  using Properties = nlohmann::ordered_json;

  /// `name`: of the file that the positions are from. Throws `Error`: input (positions that are not
  /// longitudes and latitudes), usage (names that are not UTF-8), input_output.
  MapFile(const std::string& path, const Graph& graph, Coordinates at, const std::string& name,
          const Control& control);

  /// The vertex's name as a property: a number where all vertices are called by integers.
  Properties name(Vertex v) const;
  /// The vertex as a point.
  void point(Vertex v, const Properties& properties);
  /// The vertices as a line; a single one as a point.
  void line(std::span<const Vertex> vertices, const Properties& properties);
  /// All parts of the arcs that can be reached within the limit from the source, as lines: the
  /// streets of an isochrone. `targets`, `distances`: the vertices within the limit, without the
  /// source.
  void reached(Vertex source, double limit, std::span<const Vertex> targets,
               std::span<const double> distances, const Properties& properties);
  void commit();

 private:
  void begin_feature(std::string_view type);
  void end_feature(const Properties& properties);
  void put_place(double x, double y);
  void put_part(Vertex from, Vertex to, double share);

  const Graph& graph_;
  bool integer_names_;
  Coordinates at_;
  io::OutputFile file_;
  bool first_ = true, first_part_ = true;
  std::vector<double> distance_;  // [n] of the source whose streets are drawn; infinity
};

/// A number, or null where it is infinite.
nlohmann::ordered_json finite_json(double value);

/// Where a table or a map goes.
struct TableOutput {
  std::string path;       ///< empty: standard output
  std::string positions;  ///< file of the vertices' longitudes and latitudes

  bool is_map() const { return path.ends_with(".geojson"); }
};

/// -o and --positions. `otherwise`: where the table goes without -o.
void declare_table(Arguments& arguments, TableOutput& output,
                   const std::string& otherwise = "standard output, as CSV");
/// --positions. `what`: is drawn with them.
void declare_positions(Arguments& arguments, TableOutput& output, const std::string& what);

/// Throws `Error` (usage) for an output that is neither a table nor a map, a map without positions,
/// positions without a map, or an output that would replace one of `inputs` or a file that is read.
void check_table(const TableOutput& output, const ReadOptions& reading,
                 std::vector<std::string> inputs);

/// Writes a table, complete or not at all; to standard output unless --json.
void write_table(Context& context, const TableOutput& output, const Graph& graph,
                 std::vector<io::TableColumn> columns,
                 const std::function<void(io::ColumnTable&)>& write);
/// Writes a map. Requires: `output.is_map()`.
void write_map(Context& context, const TableOutput& output, const ReadOptions& reading,
               const Graph& graph, const std::function<void(MapFile&)>& write);
/// Notes a file that is complete.
void note_written(Context& context, const std::string& path);

}  // namespace apsp::cli
