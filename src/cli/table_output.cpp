#include "cli/table_output.hpp"

#include <fmt/format.h>
#include <apsp/io.hpp>

#include "base/units.hpp"

namespace apsp::cli {

void declare_table(Arguments& arguments, TableOutput& output, const std::string& otherwise) {
  arguments.text("-o,--output", "OUT", output.path,
                 "where the table goes: .csv, .csv.gz, .csv.zst or .parquet, or a map as .geojson; "
                 "default: " +
                     otherwise);
  declare_positions(arguments, output, "OUT.geojson");
}

void declare_positions(Arguments& arguments, TableOutput& output, const std::string& what) {
  arguments.text("--positions", "FILE", output.positions,
                 fmt::format("longitude and latitude of every vertex, for {}: a table or .mtx; "
                             "default: the file of --coordinates",
                             what));
}

void check_table(const TableOutput& output, const ReadOptions& reading,
                 std::vector<std::string> inputs) {
  refuse_if(!output.is_map() && !output.positions.empty(),
            "--positions is for a map: name one with -o OUT.geojson");
  if (output.path.empty()) return;
  refuse_if(!output.is_map() && !io::names_column_table(output.path),
            "{} is not a table: name a .csv, .csv.gz, .csv.zst or .parquet, or a .geojson",
            output.path);
  refuse_if(output.is_map() && output.positions.empty() && reading.coordinates.empty(),
            "{} needs to know where the vertices are: name a file of longitudes and latitudes with "
            "--positions FILE",
            output.path);
  inputs.insert(inputs.end(), {output.positions, reading.coordinates});
  require_apart(output.path, inputs);
}

void write_table(Context& context, const TableOutput& output, const Graph& graph,
                 std::vector<io::TableColumn> columns,
                 const std::function<void(io::ColumnTable&)>& write) {
  if (output.path.empty() && context.json) return;
  const auto put = [&](const std::string& to) {
    io::ColumnTable table(to, std::move(columns), graph, context.control());
    write(table);
    table.commit();
  };
  if (output.path.empty()) return Context::let_write([&] { put("-"); });
  put(output.path);
  note_written(context, output.path);
}

void write_map(Context& context, const TableOutput& output, const ReadOptions& reading,
               const Graph& graph, const std::function<void(MapFile&)>& write) {
  const std::string& positions = output.positions.empty() ? reading.coordinates : output.positions;
  MapFile map(output.path, graph, io::read_places(positions, graph, list_reading(context)),
              positions, context.control());
  write(map);
  map.commit();
  note_written(context, output.path);
}

void note_written(Context& context, const std::string& path) {
  context.keep(path);
  context.note(fmt::format("{}: {} written", path, base::format_bytes(bytes_on_disk(path))));
}

}  // namespace apsp::cli
