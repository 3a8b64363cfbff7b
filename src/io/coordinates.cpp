#include "io/coordinates.hpp"

#include <algorithm>
#include <apsp/io.hpp>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/fail.hpp"
#include "base/units.hpp"
#include "io/matrix_market.hpp"
#include "io/source.hpp"
#include "io/table_rows.hpp"
#include "io/text_cursor.hpp"
#include "io/titles.hpp"

namespace apsp::io {
namespace {

constexpr double kMeanEarthRadius = 6371008.8;  // metres: IUGG mean radius R1

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

double great_circle_length(const Coordinates& at, Vertex u, Vertex v) {
  const double south = radians(at.y[u]), north = radians(at.y[v]);
  const double half_height = std::sin((north - south) / 2);
  const double half_width = std::sin(radians(at.x[v] - at.x[u]) / 2);
  const double haversine =
      half_height * half_height + std::cos(south) * std::cos(north) * half_width * half_width;
  return 2 * kMeanEarthRadius * std::asin(std::sqrt(std::min(1.0, haversine)));
}

Coordinates read_one_each(const Source& source, const Graph& graph) {
  Coordinates places = read_coordinate_array(source);
  const std::int64_t rows = std::ssize(places.x);
  if (rows == graph.vertex_count()) return places;
  base::fail_input(source.name, "{} for {}", base::counted(rows, "coordinate", "coordinates"),
                   base::counted(graph.vertex_count(), "vertex", "vertices"));
}

struct CoordinateColumns {
  std::size_t name = 0, x = 1, y = 2;
  bool degrees = false;
  bool latitude_first = false;  // titled y, then x: OSMnx, also for projected lengths

  std::size_t width() const { return std::max({name, x, y}) + 1; }
};

std::optional<CoordinateColumns> titles_of(const TableFields& fields) {
  CoordinateColumns columns;
  const std::vector<std::string> titles = texts_of(fields);
  std::optional<std::size_t> x = find_title(titles, {"lon", "lng", "long", "longitude"});
  columns.degrees = x.has_value();
  if (!x) x = find_title(titles, {"x"});
  const std::optional<std::size_t> y = find_title(titles, {"y", "lat", "latitude"});
  if (!x || !y || fields.size() < 3) return std::nullopt;
  columns.x = *x;
  columns.y = *y;
  columns.latitude_first = !columns.degrees && *y < *x;
  while (columns.name == *x || columns.name == *y) ++columns.name;
  columns.name = find_vertex_title(titles).value_or(columns.name);
  return columns;
}

bool are_degrees(const Coordinates& places) {
  const auto within = [](const std::vector<double>& values, double most) {
    return std::ranges::all_of(values, [most](double value) { return std::abs(value) <= most; });
  };
  return within(places.x, 180) && within(places.y, 90);
}

void require_all_placed(const TextCursor& cursor, const Graph& graph,
                        const std::vector<bool>& placed) {
  const auto missing = std::ranges::count(placed, false);
  if (missing == 0) return;
  const auto first = std::ranges::find(placed, false) - placed.begin();
  cursor.fail_at_end("the place is missing for {} of {}, such as '{}'", missing,
                     base::counted(std::ssize(placed), "vertex", "vertices"),
                     graph.name(static_cast<Vertex>(first)));
}

Coordinates read_table(const Source& source, const Graph& graph) {
  TextCursor cursor(source);
  CoordinateColumns columns;
  std::vector<bool> placed(static_cast<std::size_t>(graph.vertex_count()));
  Coordinates places{std::vector<double>(placed.size()), std::vector<double>(placed.size())};
  const auto titled = [&](const TableFields& first, const TableFields&) {
    const auto titles = titles_of(first);
    columns = titles.value_or(columns);
    places.degrees = columns.degrees;
    return titles.has_value();
  };
  const auto take = [&](const TableFields& fields) {
    if (fields.size() < columns.width()) {
      cursor.fail(fields.front().at, "{} of {} columns: a row is 'name x y', or 'name,x,y'",
                  fields.size(), columns.width());
    }
    const TableField& field = fields[columns.name];
    const Vertex v = field_vertex(cursor, field, graph);
    if (placed[v]) cursor.fail(field.at, "the vertex '{}' comes twice", graph.name(v));
    placed[v] = true;
    places.x[v] = field_number(cursor, fields[columns.x]);
    places.y[v] = field_number(cursor, fields[columns.y]);
  };
  read_list(
      cursor, nullptr, nullptr, titled, [](const TableFields&) { return true; }, take);
  require_all_placed(cursor, graph, placed);
  if (columns.latitude_first) places.degrees = are_degrees(places);
  return places;
}

Coordinates coordinates_of(HeldBytes held, const std::string& name, const Graph& graph,
                           const Control& control, const std::string& encoding = {}) {
  const auto read = [&](const Source& source) {
    return has_matrix_market_banner(text_of(source)) ? read_one_each(source, graph)
                                                     : read_table(source, graph);
  };
  return with_text(std::move(held), name, control, read, encoding);
}

}  // namespace

Coordinates read_places(const std::string& path, const Graph& graph, const ListReading& reading) {
  return coordinates_of(hold_input(path, {}), display_name(path), graph, reading.control,
                        reading.encoding);
}

Graph with_great_circle_weights(const Graph& graph, const Source& places) {
  const Coordinates coordinates = read_one_each(places, graph);
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  builder.reserve(graph.edge_count());
  for_each_edge(graph, [&](Vertex u, Vertex v, double) {
    builder.add_edge(u, v, great_circle_length(coordinates, u, v));
  });
  builder.set_first_id(graph.first_id());
  if (!graph.labels().empty()) {
    builder.set_labels({graph.labels().begin(), graph.labels().end()});
  }
  Graph weighted = std::move(builder).build();
  for (const std::string& remark : graph.remarks()) weighted = weighted.with_remark(remark);
  return weighted;
}
}  // namespace apsp::io

namespace apsp {

Coordinates read_coordinates(const std::string& path, const Graph& graph, const Control& control) {
  return io::coordinates_of(io::hold_input(path, {}), io::display_name(path), graph, control);
}

Coordinates parse_coordinates(std::span<const char> bytes, const std::string& name,
                              const Graph& graph, const Control& control) {
  return io::coordinates_of({bytes}, name, graph, control);
}

}  // namespace apsp
