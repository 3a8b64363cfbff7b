#include "cli/table_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/io.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/fail.hpp"
#include "base/units.hpp"
#include "io/formats.hpp"
#include "io/number.hpp"
#include "io/osm_streets.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {

void declare_table(Arguments& arguments, TableOutput& output, const std::string& otherwise) {
  arguments.text("-o,--output", "OUT", output.path,
                 "where the table goes: .csv, .csv.gz, .csv.zst or .parquet, or a map as .geojson "
                 "or .geo.parquet; default: " +
                     otherwise);
  declare_positions(arguments, output, "a map");
}

void declare_positions(Arguments& arguments, TableOutput& output, const std::string& what) {
  arguments.text("--positions", "FILE", output.positions,
                 fmt::format("longitude and latitude of every vertex, for {}: a table or .mtx; "
                             "default: the file of --coordinates",
                             what));
  arguments.text(
      "--geometry", "FILE", output.geometry,
      fmt::format("lines of streets for {}; OUT.csv and OUT.parquet are then maps too: a "
                  "table with the titles u,v,geometry, as OSMnx writes edges, GeoJSON, "
                  "or an extract of OpenStreetMap with --profile; default: straight",
                  what));
}

void set_positions(std::string& positions, const ReadOptions& reading, const std::string& graph) {
  const bool known = !positions.empty() || !reading.coordinates.empty();
  if (!known && io::names_osm_extract(graph)) positions = graph;
}

void check_table(TableOutput& output, const ReadOptions& reading, std::vector<std::string> inputs,
                 bool takes_points) {
  refuse_if(!output.is_map() && !output.positions.empty() && !takes_points,
            "--positions is for a map: name one with -o OUT.geojson or OUT.geo.parquet");
  refuse_if(!output.is_map() && !output.geometry.empty(),
            "--geometry is for a map: name one with -o OUT.geojson or OUT.geo.parquet");
  set_positions(output.positions, reading, inputs.front());
  if (output.path.empty()) return;
  refuse_if(!output.is_map() && !io::names_column_table(output.path),
            "{} is not a table: name a .csv, .csv.gz, .csv.zst or .parquet, or a map, .geojson or "
            ".geo.parquet",
            output.path);
  refuse_if(output.is_map() && output.positions.empty() && reading.coordinates.empty(),
            "{} needs to know where the vertices are: name a file of longitudes and latitudes with "
            "--positions FILE",
            output.path);
  inputs.insert(inputs.end(), {output.positions, output.geometry, reading.coordinates});
  require_apart(output.path, inputs);
}

void write_table(Context& context, const TableOutput& output, const Graph& graph,
                 std::vector<io::TableColumn> columns,
                 const std::function<void(io::ColumnTable&)>& write,
                 std::span<const std::string> further) {
  if (output.path.empty() && context.json) return;
  const auto put = [&](const std::string& to) {
    io::ColumnTable table(to, std::move(columns), graph, context.control(), false, further);
    write(table);
    table.commit();
  };
  if (output.path.empty()) return Context::let_write([&] { put("-"); });
  put(output.path);
  note_written(context, output.path);
}

void write_map(Context& context, const TableOutput& output, const ReadOptions& reading,
               const Graph& graph, std::vector<io::TableColumn> columns,
               const std::function<void(MapFile&)>& write, std::span<const std::string> further) {
  const std::string& positions = positions_of(output, reading);
  const Coordinates places = read_list(context, io::read_places, positions, graph);
  io::StreetLines streets;
  if (io::names_osm_extract(output.geometry)) {
    streets = io::lines_of_streets(io::read_street_network(output.geometry, reading), graph);
  } else if (!output.geometry.empty()) {
    streets = read_list(context, io::read_street_lines, output.geometry, graph);
  }
  MapFile map(output.path, std::move(columns), graph, places, positions, context.control(),
              std::move(streets), further);
  write(map);
  map.commit();
  note_written(context, output.path);
}

void write_rows(Context& context, const TableOutput& output, const ReadOptions& reading,
                const Graph& graph, const std::vector<io::TableColumn>& columns, std::int64_t rows,
                const std::function<void(const PutRows&)>& produce) {
  if (!output.is_map()) {
    return write_table(context, output, graph, columns, [&](io::ColumnTable& table) {
      table.expect_rows(rows);
      produce([&](std::int64_t count, auto values) { table.put(count, values); });
    });
  }
  write_map(context, output, reading, graph, columns, [&](MapFile& map) {
    produce([&](std::int64_t count, auto values) { map.put(count, values); });
  });
}

void write_rows(Context& context, const TableOutput& output, const ReadOptions& reading,
                const Graph& graph, const io::Columns& columns, std::int64_t rows) {
  write_rows(context, output, reading, graph, columns.titles, rows,
             [&](const PutRows& put) { put(rows, columns.cells); });
}

nlohmann::json output_json(const TableOutput& output) {
  return output.path.empty() ? nlohmann::json() : nlohmann::json(output.path);
}

io::Columns arc_columns(std::span<const Edge> arcs) {
  static_assert(sizeof(Edge) == 4 * sizeof(Vertex) && sizeof(Edge) == 2 * sizeof(double));
  static constexpr Edge kNone{};
  const Edge* const first = arcs.empty() ? &kNone : arcs.data();
  io::Columns columns;
  columns.add("from", &first->from, 4);
  columns.add("to", &first->to, 4);
  columns.add("weight", &first->weight, 2);
  return columns;
}

void note_written(Context& context, const std::string& path) {
  context.keep(path);
  context.note(fmt::format("{}: {} written", path, base::format_bytes(bytes_on_disk(path))));
}

namespace {

std::vector<io::TableColumn> with_geometry(std::vector<io::TableColumn> columns) {
  std::string title = "geometry";
  while (std::ranges::find(columns, title, &io::TableColumn::title) != columns.end()) title += '_';
  columns.push_back({title, io::ColumnKind::geometry});
  return columns;
}

}  // namespace

MapFile::MapFile(const std::string& path, std::vector<io::TableColumn> columns, const Graph& graph,
                 Coordinates at, const std::string& name, const Control& control,
                 io::StreetLines streets, std::span<const std::string> further)
    : graph_(graph),
      states_(graph),
      at_(std::move(at)),
      streets_(std::move(streets)),
      columns_(std::move(columns)),
      table_(path, with_geometry(columns_), graph, control, false, further) {
  for (std::size_t v = 0; v < at_.x.size(); ++v) {
    if (std::abs(at_.x[v]) <= 180 && std::abs(at_.y[v]) <= 90) continue;
    base::fail(ErrorKind::input,
               "{}: a map needs longitude and latitude in degrees, and {} is at ({}, {})", name,
               graph_.name(static_cast<Vertex>(v)), at_.x[v], at_.y[v]);
  }
}

namespace {

/// The part of a line between two shares of its length, from the first to the second.
std::vector<io::MapPoint> part_of(std::vector<io::MapPoint> line, double first, double last) {
  if (first > last) {
    std::ranges::reverse(line);
    return part_of(std::move(line), 1 - first, 1 - last);
  }
  const auto length = [&](std::size_t k) {  // degrees of longitude are shorter
    const double narrow = std::cos(line[k].second * std::numbers::pi / 180);
    const double x = (line[k].first - line[k - 1].first) * narrow;
    const double y = line[k].second - line[k - 1].second;
    return std::sqrt(x * x + y * y);  // hypot would need a newer glibc than wheels allow
  };
  double whole = 0;
  for (std::size_t k = 1; k < line.size(); ++k) whole += length(k);
  std::vector<io::MapPoint> part;
  double before = 0;
  for (std::size_t k = 1; k < line.size(); ++k) {
    const double here = length(k);
    const auto at = [&](double share) {
      const double along = line.size() == 2 ? share
                           : here > 0       ? std::clamp((share * whole - before) / here, 0.0, 1.0)
                                            : 0;
      return io::MapPoint(line[k - 1].first + along * (line[k].first - line[k - 1].first),
                          line[k - 1].second + along * (line[k].second - line[k - 1].second));
    };
    const bool ends = k + 1 == line.size() || (last < 1 && last * whole <= before + here);
    if (part.empty() && (ends || first * whole < before + here)) part.push_back(at(first));
    if (!part.empty()) part.push_back(ends && last < 1 ? at(last) : line[k]);
    if (ends) break;
    before += here;
  }
  return part;
}

}  // namespace

void MapFile::add(const PlacedPoints& points) {
  for (const Place& at : points.places) {
    places_.push_back(&at);
    const auto [x, y] = part_of(street(at.from, at.to), 0, at.share).back();
    at_.x.push_back(x);
    at_.y.push_back(y);
  }
}

Vertex MapFile::place(Vertex v) const {
  const auto n = static_cast<Vertex>(graph_.vertex_count());
  if (v >= n && places_[v - n]->is_vertex()) v = places_[v - n]->from;
  return v < n ? states_.vertex_of(v) : v;
}

const Place* MapFile::place_on_street(Vertex v) const {
  return v < graph_.vertex_count() ? nullptr : places_[v - graph_.vertex_count()];
}

void MapFile::put_row(std::vector<io::ColumnValues> row, io::Geometry& geometry) {
  constexpr double kDigits = 1e7;  // one centimetre
  for (std::vector<io::MapPoint>& line : geometry.lines) {
    for (auto& [x, y] : line) {
      x = std::round(x * kDigits) / kDigits;
      y = std::round(y * kDigits) / kDigits;
    }
  }
  row.emplace_back(io::Stepped<io::Geometry>{&geometry});
  table_.put(1, row);
}

void MapFile::put(std::int64_t rows, std::span<const io::ColumnValues> values) {
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<io::ColumnValues> row;
    std::vector<Vertex> ends;
    for (std::size_t c = 0; c < values.size(); ++c) {
      const auto put = [&]<class T>(io::Stepped<T> cells) {
        cells.first += i * cells.step;
        row.emplace_back(cells);
        if constexpr (std::is_same_v<T, Vertex>) {
          if (c == 0 || columns_[c].title == "to") ends.push_back(*cells.first);
        }
      };
      std::visit(put, values[c]);
    }
    line(ends, std::move(row));
  }
}

void MapFile::line(std::span<const Vertex> vertices, std::vector<io::ColumnValues> row) {
  std::vector<Vertex> path;  // the end of a path is where its last state is
  for (const Vertex v : vertices) {
    if (path.empty() || path.back() != place(v)) path.push_back(place(v));
  }
  io::Geometry drawn{{{{at_.x[path[0]], at_.y[path[0]]}}}};
  for (std::size_t i = 1; i < path.size(); ++i) {
    const std::vector<io::MapPoint> way = street(path[i - 1], path[i]);
    drawn.lines[0].insert(drawn.lines[0].end(), way.begin() + 1, way.end());
  }
  put_row(std::move(row), drawn);
}

std::vector<io::MapPoint> MapFile::street(Vertex from, Vertex to) const {
  from = place(from);
  to = place(to);
  const Place *const begin = place_on_street(from), *const end = place_on_street(to);
  if (begin != nullptr || end != nullptr) {
    const Place& on = begin != nullptr ? *begin : *end;
    return part_of(street(on.from, on.to), begin != nullptr ? begin->share : from != on.from,
                   end != nullptr ? end->share : to != on.from);
  }
  std::vector<io::MapPoint> line = streets_.between(from, to);
  if (line.empty()) line = {{at_.x[from], at_.y[from]}, {at_.x[to], at_.y[to]}};
  return line;
}

void MapFile::reached(Vertex source, double limit, std::span<const Vertex> targets,
                      std::span<const double> distances, std::vector<io::ColumnValues> row) {
  distance_.resize(at_.x.size(), std::numeric_limits<double>::infinity());
  distance_[source] = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) distance_[targets[i]] = distances[i];
  io::Geometry parts{{}, true};
  const auto draw_from = [&](Vertex from) {
    followed_->for_each_arc(from, [&](Vertex to, double weight) {
      const double left = limit - distance_[from];
      const bool whole = weight <= left;
      // The other direction draws the street if it reaches all of it, or both meet on it.
      double other = 0;  // share
      followed_->for_each_arc_between(to, from, [&](double back) {
        const double rest = limit - distance_[to];
        if (rest >= 0) other = std::max(other, back <= rest ? 1 : rest / back);
      });
      const double share = whole ? 1 : left / weight;
      if (other >= 1 && (!whole || from > to)) return;
      const bool meet = other < 1 && share < 1 && share + other >= 1;
      if (meet && from > to) return;
      if (place(from) == place(to) || left <= 0) return;
      parts.lines.push_back(part_of(street(from, to), 0, meet ? 1 : share));
    });
  };
  draw_from(source);
  for (const Vertex target : targets) draw_from(target);
  put_row(std::move(row), parts);
  distance_[source] = std::numeric_limits<double>::infinity();
  for (const Vertex target : targets) {
    distance_[target] = std::numeric_limits<double>::infinity();
  }
}

nlohmann::ordered_json finite_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace apsp::cli
