// Tables and maps that verbs write: CSV, Parquet, GeoJSON.
#pragma once

#include <apsp/graph.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/map_file.hpp"
#include "cli/reading.hpp"
#include "cli/session.hpp"
#include "io/column_table.hpp"

namespace apsp::cli {

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
void write_table(Session& session, const TableOutput& output, const Graph& graph,
                 std::vector<io::TableColumn> columns,
                 const std::function<void(io::ColumnTable&)>& write);
/// Writes a map. Requires: `output.is_map()`.
void write_map(Session& session, const TableOutput& output, const ReadOptions& reading,
               const Graph& graph, const std::function<void(MapFile&)>& write);
/// Notes a file that is complete.
void note_written(Session& session, const std::string& path);

}  // namespace apsp::cli
